"""The control channel: JSON lines in, one JSON line out for each. An error is an answer; the process goes on."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from fakebridge.account.contents import header_value
from fakebridge.bridge import elsewhere
from fakebridge.faults.rule import FaultError, FaultRule, rules_from_json
from fakebridge.journal import Kind
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.message import Message
from fakebridge.message.decoded_search import texts
from fakebridge.world import WorldError

if TYPE_CHECKING:
    from fakebridge.serve import Process

Answer = dict[str, object]


class ControlError(Exception):
    """A command that cannot be carried out; `str()` is the answer's error."""


async def lines_of(stream: TextIO) -> AsyncIterator[str]:
    """Lines as they come, without blocking the sessions."""
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, stream.readline):
        yield line


class Control:
    """Carries commands out on a process."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._commands: dict[str, Callable[[Answer], Answer | Awaitable[Answer]]] = {
            "poll": self._poll,
            "deliver": self._deliver,
            "delete": self._delete,
            "label": self._label,
            "edit-draft": self._edit_draft,
            "offline": lambda _: self._online(online=False),
            "online": lambda _: self._online(online=True),
            "restart": self._restart,
            "repair": self._repair,
            "mode": self._mode,
            "logout": self._logout,
            "reset": self._reset,
            "journal": self._journal,
            "fault": self._fault,
            "faults": self._faults,
            "clear-faults": self._clear_faults,
            "sink": self._sink,
            "messages": self._messages,
            "certificate": self._certificate,
            "advance": self._advance,
        }

    async def answer(self, line: str) -> Answer:
        """One line of the channel."""
        try:
            data = json.loads(line)
            if not isinstance(data, dict) or data.get("do") not in self._commands:
                raise ControlError(f"do: one of {', '.join(sorted(self._commands))} is wanted")
            result = self._commands[str(data["do"])](data)
            done = result if isinstance(result, dict) else await result
        except ValueError as error:
            return {"ok": False, "error": f"not usable: {error}"}
        except (ControlError, WorldError, FaultError) as error:
            return {"ok": False, "error": str(error)}
        return {"ok": True, **done}

    # Time and state

    def _poll(self, _: Answer) -> Answer:
        return {"messages": self._process.bridge.poll()}

    def _advance(self, data: Answer) -> Answer:
        seconds = data.get("seconds")
        if not isinstance(seconds, int | float):
            raise ControlError("seconds: a number is wanted")
        self._process.bridge.clock.advance(float(seconds))
        return {}

    def _online(self, *, online: bool) -> Answer:
        self._process.bridge.set_online(online=online)
        return {}

    def _restart(self, _: Answer) -> Answer:
        self._process.bridge.restart()
        self._process.imap.count_anew()
        self._process.smtp.count_anew()
        return dict(self._process.ports)

    def _repair(self, _: Answer) -> Answer:
        self._process.bridge.repair()
        return {}

    def _mode(self, data: Answer) -> Answer:
        if data.get("to") not in ("split", "combined"):
            raise ControlError("to: split or combined is wanted")
        self._process.bridge.switch_mode(split=data["to"] == "split")
        return {}

    def _logout(self, _: Answer) -> Answer:
        self._process.bridge.log_out()
        return {}

    def _reset(self, data: Answer) -> Answer:
        self._process.reset(Path(_text(data, "world")))
        return self._process.ready()

    # The account

    def _deliver(self, data: Answer) -> Answer:
        bridge = self._process.bridge
        octets = _text(data, "message").encode("utf-8", "surrogateescape")
        message = elsewhere.deliver(bridge.account, octets, now=bridge.clock.now(), unread=data.get("unread") is True)
        self._note("deliver", octets=len(octets))
        return {"id": message}

    def _delete(self, data: Answer) -> Answer:
        count = elsewhere.delete(self._process.bridge.account, _text(data, "subject"))
        self._note("delete", messages=count)
        return {"messages": count}

    def _label(self, data: Answer) -> Answer:
        try:
            count = elsewhere.label(self._process.bridge.account, _text(data, "mailbox"), _text(data, "subject"))
        except KeyError:
            raise ControlError("mailbox: there is no such mailbox") from None
        self._note("label", messages=count)
        return {"messages": count}

    def _edit_draft(self, data: Answer) -> Answer:
        count = elsewhere.edit_drafts(self._process.bridge.account, _text(data, "subject"))
        self._note("edit-draft", messages=count)
        return {"messages": count}

    def _note(self, what: str, **fields: object) -> None:
        self._process.journal.record(Kind.EVENT, what=what, **fields)

    # Evidence and faults

    def _journal(self, data: Answer) -> Answer:
        since = data.get("since", 0)
        if not isinstance(since, int) or since < 0:
            raise ControlError("since: a number from 0 is wanted")
        return {"entries": self._process.journal.entries(since)}

    def _fault(self, data: Answer) -> Answer:
        rule = data.get("rule")
        if rule is None:
            # The rule's own `do` collides with the channel's: it may stand as `fault` beside.
            rule = {("do" if name == "fault" else name): value for name, value in data.items() if name != "do"}
        self._process.faults.add([FaultRule.from_json(rule)])
        return {}

    def _faults(self, data: Answer) -> Answer:
        """All of them, or none when one cannot be used."""
        self._process.faults.add(rules_from_json(data.get("rules")))
        return {}

    def _clear_faults(self, _: Answer) -> Answer:
        self._process.faults.clear()
        return {}

    def _sink(self, _: Answer) -> Answer:
        return {
            "messages": [
                {
                    "sender": one.sender,
                    "recipients": list(one.recipients),
                    "literal": base64.b64encode(one.literal).decode(),
                    "sha256": hashlib.sha256(one.literal).hexdigest(),
                }
                for one in self._process.bridge.outgoing.sink
            ]
        }

    def _messages(self, data: Answer) -> Answer:
        connector = self._process.bridge.connectors[0]
        mailbox = connector.store.by_name.get(_text(data, "mailbox"))
        if mailbox is None:
            raise ControlError("mailbox: there is no such mailbox")
        described = [describe(mailbox, message) for message in mailbox.messages]
        if data.get("texts") is True:
            for row, message in zip(described, mailbox.messages, strict=True):
                row["texts"] = [{"type": media_type, "text": text} for media_type, text in texts(message.literal())]
        return {"messages": described}

    def _certificate(self, _: Answer) -> Answer:
        """The one that the ready line names, whatever a fault shows."""
        return {"certificate_sha256": self._process.own_certificate.sha256, "pem": self._process.own_certificate.pem()}


def describe(mailbox: Mailbox, message: Message) -> Answer:
    """A message as evidence."""
    literal = message.literal()
    return {
        "uid": message.homes[mailbox.number],
        "flags": sorted(mailbox.flags_of(message)),
        "message_id": header_value(literal, b"Message-Id"),
        "subject": header_value(literal, b"Subject"),
        "recipients": [header_value(literal, name) for name in (b"To", b"Cc", b"Bcc") if header_value(literal, name)],
        "octets": len(literal),
        "sha256": hashlib.sha256(literal).hexdigest(),
    }


def _text(data: Answer, name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise ControlError(f"{name}: a text is wanted")
    return value
