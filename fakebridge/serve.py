"""The process: listeners, the ready line, the control channel, and the Bridge that they share."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from fakebridge import world as worlds
from fakebridge.bridge.service import Bridge
from fakebridge.clock import Clock
from fakebridge.control import Control, lines_of
from fakebridge.faults import rule as fault_rules
from fakebridge.faults.kinds import Place
from fakebridge.faults.plan import FaultPlan
from fakebridge.faults.verbs import CONNECT
from fakebridge.journal import Journal, Kind
from fakebridge.servers.imap import ImapServer
from fakebridge.servers.smtp import SmtpServer
from fakebridge.settings import Settings
from fakebridge.tls import Certificate, make_certificate
from fakebridge.world import World

PASSWORD_OCTETS = 16
"""As Bridge makes them: 22 characters of unpadded base64url (bridge-behaviour 1.6)."""


class Process:
    """One fakebridge: a Bridge that can be replaced by another world's, behind listeners that stay."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._sink = settings.journal.open("w", encoding="utf-8") if settings.journal else None
        self.faults = FaultPlan()
        self.own_certificate = make_certificate()
        self._other_certificates: dict[str, Certificate] = {}
        self._password = secrets.token_urlsafe(PASSWORD_OCTETS)
        self.bridge = self._new_bridge(settings.world)
        self.imap = ImapServer(lambda: self.bridge, self.certificate)
        self.smtp = SmtpServer(lambda: self.bridge, self.certificate)
        self.ports: dict[str, int] = {}
        self._polling: asyncio.Task[None] | None = None

    def _new_bridge(self, path: Path) -> Bridge:
        world = self._with_options(worlds.load(path))
        clock = Clock(sleep=asyncio.sleep, start=world.now)
        return Bridge(world, clock=clock, journal=Journal(self._sink), faults=self.faults, password=self._password)

    @property
    def journal(self) -> Journal:
        """The evidence since the world was loaded."""
        return self.bridge.journal

    def _with_options(self, world: World) -> World:
        switches = dict(self.settings.switches)
        if self.settings.poll_seconds is not None:
            switches["poll_seconds"] = self.settings.poll_seconds
        profile = (world.profile.strict() if self.settings.strict_rfc else world.profile).with_values(switches)
        return replace(world, profile=profile, seed=world.seed if self.settings.seed is None else self.settings.seed)

    def certificate(self) -> Certificate:
        """The one for new connections; a fault may have put another in its place."""
        for rule in self.faults.hits((Place.CERTIFICATE,), CONNECT):
            self.journal.record(Kind.FAULT, session=None, verb=CONNECT, do=rule.do.value, tag="")
            return self.other_certificate(rule.text)
        return self.own_certificate

    def other_certificate(self, variant: str) -> Certificate:
        """Another one of this sort, made when it is first needed; the same from then on."""
        if variant not in self._other_certificates:
            self._other_certificates[variant] = make_certificate(variant)
        return self._other_certificates[variant]

    async def start(self) -> dict[str, object]:
        """Listen; the ready line as an object."""
        if self.settings.faults is not None:
            self.faults.add(fault_rules.load(self.settings.faults))
        self.ports["imap"] = await self.imap.start(self.settings.imap_port)
        self.ports["smtp"] = 0 if self.settings.smtp_port is None else await self.smtp.start(self.settings.smtp_port)
        self._begin_polling()
        return self.ready()

    def ready(self) -> dict[str, object]:
        """What a client needs to know."""
        return {
            **self.ports,
            "password": self.bridge.password,
            "certificate_sha256": self.own_certificate.sha256,
            "addresses": [own.address for own in self.bridge.account.addresses.all],
        }

    def reset(self, path: Path) -> None:
        """Drop all sessions and load another world behind the same ports. WorldError: it cannot be used, and nothing has changed."""
        bridge = self._new_bridge(path)
        self.bridge.close_clients()
        self.bridge.journal.stop()
        self.faults.clear()
        self.imap.count_anew()
        self.smtp.count_anew()
        self.bridge = bridge
        self._begin_polling()

    def _begin_polling(self) -> None:
        if self._polling is not None:
            self._polling.cancel()
            self._polling = None
        if self.bridge.profile.poll_seconds > 0:
            self._polling = asyncio.create_task(self._poll_for_ever(self.bridge))

    @staticmethod
    async def _poll_for_ever(bridge: Bridge) -> None:
        while True:
            await asyncio.sleep(bridge.profile.poll_seconds)
            bridge.poll()

    async def stop(self) -> None:
        """Close everything."""
        if self._polling is not None:
            self._polling.cancel()
        self.bridge.close_clients()
        await self.imap.stop()
        await self.smtp.stop()
        await self.smtp.stop()


async def run(settings: Settings) -> None:
    """Serve until the control channel closes (with `--control`) or the process is ended."""
    process = Process(settings)
    ready = await process.start()
    print(json.dumps(ready) if settings.speaks_json else _told(ready), flush=True)  # noqa: T201 - the ready line is the interface
    try:
        if settings.control:
            control = Control(process)
            async for line in lines_of(sys.stdin):
                print(json.dumps(await control.answer(line)), flush=True)  # noqa: T201 - the answer is the interface
        else:
            await asyncio.Event().wait()
    finally:
        await process.stop()


def _told(ready: dict[str, object]) -> str:
    """The ready line for a person."""
    addresses = ready["addresses"]
    lines = [
        "A simulated Proton Mail Bridge is listening on 127.0.0.1. Nothing here is real; nothing leaves this machine.",
        f"  IMAP port    {ready['imap']} (STARTTLS)",
        f"  SMTP port    {ready['smtp'] or 'off'}{' (STARTTLS)' if ready['smtp'] else ''}",
        f"  user         {addresses[0] if isinstance(addresses, list) else ''}",
        f"  password     {ready['password']}",
        f"  certificate  {ready['certificate_sha256']} (SHA-256)",
        "Ctrl-C ends it.",
    ]
    return "\n".join(lines)
