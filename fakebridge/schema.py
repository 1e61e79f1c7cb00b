"""The published JSON schemas (draft 2020-12) of worlds and of fault rules.

The readers (`fakebridge.world`, `fakebridge.faults.rule`) judge; these say the same for editors and other languages. Files beside a world
and names that refer to each other are checked by the reader alone.
"""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Final

from fakebridge.faults.kinds import MEANINGS, FaultKind
from fakebridge.faults.rule import CERTIFICATES, MOST
from fakebridge.faults.verbs import VERBS
from fakebridge.message.accountserver import AccountServer
from fakebridge.profile import Profile
from fakebridge.world import FLAGS

Schema = dict[str, object]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Final[Schema] = {"type": "string"}
_FROM_0: Final[Schema] = {"type": "integer", "minimum": 0}


def _said(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def _object(properties: dict[str, Schema], *, required: tuple[str, ...] = ()) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": list(required)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def faults() -> Schema:
    """A list of rules, or an object that holds one."""
    rules: list[object] = [_rule(kind) for kind in FaultKind]
    return {
        "$schema": DIALECT,
        "title": "Faults of fakebridge",
        "$defs": {"rules": {"type": "array", "items": {"oneOf": rules}}},
        "oneOf": [
            {"$ref": "#/$defs/rules"},
            _object({"$schema": _TEXT, "about": _TEXT, "faults": {"$ref": "#/$defs/rules"}}, required=("faults",)),
        ],
    }


def _rule(kind: FaultKind) -> Schema:
    meaning = MEANINGS[kind]
    number: Schema = {"type": "integer", "minimum": 0, "maximum": MOST}
    forms: dict[str, Schema] = {
        "octets": number,
        "count": number,
        "seconds": {"type": "number", "minimum": 0, "maximum": 86_400},
        "item": _said(_TEXT, "The name beside which numbers stand: UID, RFC822.SIZE, EXISTS, UIDNEXT."),
    }
    fields: dict[str, Schema] = {
        "about": _TEXT,
        "do": {"const": kind.value},
        "on": {"enum": list(VERBS), "description": "The command that is met; * is any of IMAP."},
        "nth": {"type": "integer", "minimum": 1, "maximum": MOST, "default": 1, "description": "The first match that is hit."},
        "times": {"type": ["integer", "null"], "minimum": 1, "maximum": MOST, "default": 1, "description": "How many are hit; null: all."},
        "mailbox": {"type": ["string", "null"], "description": "Only while this mailbox is open."},
        "after_octets": _said(number, "Only on a connection to which so many octets have been sent."),
        "text": _TEXT,
    }
    for name in meaning.fields:
        default = getattr(meaning, name, None)
        fields[name] = {**forms.get(name, _TEXT), **({} if default is None else {"default": default})}
    if kind is FaultKind.CERTIFICATE:
        fields["text"] = {"enum": list(CERTIFICATES), "default": meaning.text}
    return {**_object(fields, required=("do",) if meaning.on else ("on", "do")), "title": kind.value, "description": meaning.line}


def world() -> Schema:
    """A world."""
    address = _object(
        {"address": {"type": "string", "pattern": "@"}, "display_name": _TEXT, "enabled": {"type": "boolean"}}, required=("address",)
    )
    names = _list(_TEXT)
    return {
        "$schema": DIALECT,
        "title": "World of fakebridge",
        **_object(
            {
                "$schema": _TEXT,
                "about": _TEXT,
                "addresses": {**_list(address), "minItems": 1, "description": "The account's addresses; the first is the primary one."},
                "application_name": _TEXT,
                "account_server": {"enum": [kind.value for kind in AccountServer]},
                "split_mode": _said({"type": "boolean"}, "One account for each address instead of one for all."),
                "other_accounts": names,
                "folders": _said(names, "Folders, parents before children: Projects, Projects/2026."),
                "labels": names,
                "password": _said(_TEXT, "Bridge's password; a random one when it is left out."),
                "seed": _said(_FROM_0, "Of every order and id that is nobody's."),
                "uid_validity": _said(_FROM_0, "The first mailbox's; the others follow. Left out: from the clock."),
                "now": _said({"type": "string", "format": "date-time"}, "Stops the clock here. Left out: real time."),
                "profile": _switches(),
                "mailboxes": {
                    "type": "object",
                    "description": "What lies in each mailbox, in UID order.",
                    "propertyNames": {
                        "anyOf": [
                            {"enum": ["INBOX", "Drafts", "Sent", "Starred", "Archive", "Spam", "Trash", "All Mail", "Scheduled"]},
                            {"pattern": "^(Folders|Labels)/."},
                        ]
                    },
                    "additionalProperties": _list(_mail()),
                },
            },
            required=("addresses",),
        ),
    }


def _mail() -> Schema:
    padded = _object(
        {"kind": {"const": "padded"}, "file": _TEXT, "octets": _FROM_0, "filename": _TEXT, "content_type": _TEXT, "seed": _FROM_0},
        required=("kind", "file"),
    )
    bulk = _object({"kind": {"const": "bulk"}, "count": _FROM_0, "seed": _FROM_0, "octets": _FROM_0}, required=("kind",))
    entry = _object(
        {
            "file": _said(_TEXT, "A mail in a file, relative to the world's."),
            "text": _said(_TEXT, "A mail as text; lines may end in LF."),
            "recipe": {"oneOf": [padded, bulk], "description": "A mail with a generated attachment, or many generated mails."},
            "as_served": _said({"type": "boolean"}, "The octets are what Bridge serves; else Bridge builds them from the mail."),
            "internal_date": _said(
                {"type": "string", "pattern": r"^\d\d?-\w{3}-\d{4} \d\d:\d\d:\d\d [+-]\d{4}$"}, "30-Nov-2026 12:00:00 +0000"
            ),
            "flags": _list({"enum": list(FLAGS)}),
            "labels": _said(_list(_TEXT), "Names out of the world's labels."),
            "address": _said(_TEXT, "The address that the mail came to."),
        }
    )
    return {**entry, "oneOf": [{"required": [kind]} for kind in ("file", "text", "recipe")]}


def _switches() -> Schema:
    """The behaviour switches, with Bridge's values for defaults."""
    switches: dict[str, Schema] = {}
    standard = Profile()
    for field in dataclasses.fields(Profile):
        value = getattr(standard, field.name)
        if isinstance(value, Enum):
            switches[field.name] = {"enum": [one.value for one in type(value)], "default": value.value}
        else:
            kind = {bool: "boolean", int: "integer", float: "number", str: "string"}[type(value)]
            switches[field.name] = {"type": kind, "default": value}
    return _object(switches)
