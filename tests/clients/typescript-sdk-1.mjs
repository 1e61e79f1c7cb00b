// The client of the TypeScript SDK 1.x. It knows the handshake protocols only, and checks structured content itself after a list.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { play } from "./story.mjs";

await play(async (server) => {
  let negotiated = "";
  const transport = new StdioClientTransport({ ...server, stderr: "inherit" });
  // The client tells its transport which protocol was agreed on; nothing else of this library says it.
  transport.setProtocolVersion = (version) => {
    negotiated = version;
  };
  const client = new Client({ name: "proton-safe-clients", version: "1.0.0" });
  await client.connect(transport);
  return {
    protocol: () => negotiated,
    list: async () => (await client.listTools()).tools,
    call: (params, options) => client.callTool(params, undefined, options),
    close: () => client.close(),
  };
});
