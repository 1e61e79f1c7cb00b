// The TypeScript client 2.x, in the mode that it is told: "legacy" shakes hands, "modern" speaks 2026-07-28 only, "auto" asks a server
// process of its own first.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { play } from "./story.mjs";

const MODES = { legacy: "legacy", auto: "auto", modern: { pin: "2026-07-28" } };

await play(async (server, mode) => {
  const client = new Client({ name: "proton-safe-clients", version: "1.0.0" }, { versionNegotiation: { mode: MODES[mode] } });
  await client.connect(new StdioClientTransport({ ...server, stderr: "inherit" }));
  return {
    protocol: () => client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools,
    call: (params, options) => client.callTool(params, options),
    close: () => client.close(),
  };
});
