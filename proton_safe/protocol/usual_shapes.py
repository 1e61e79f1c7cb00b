"""Which handshakes and envelopes are so plain that a table can answer them.

Narrower than the protocol on purpose: what isn't recognised here is judged by the engine. Whatever passes here, the engine accepts too
(a property that tests hold).
Belongs to the front door: imports nothing.
"""

from __future__ import annotations

_CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
_VERSION = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_PROTOCOL = "io.modelcontextprotocol/"
_NAMED_OBJECTS = {"experimental", "extensions"}
_OBJECTS = {"sampling", "elicitation", "roots", "tasks"}


def bare(params: object) -> bool:
    """No parameters, or only a progress token."""
    if params is None:
        return True
    if not isinstance(params, dict) or not params.keys() <= {"_meta"}:
        return False
    meta = params.get("_meta", {})
    return isinstance(meta, dict) and meta.keys() <= {"progressToken"} and _is_token(meta.get("progressToken", 0))


def implementation_is_usual(info: object) -> bool:
    """A name and a version, and other texts if there are any."""
    return (
        isinstance(info, dict)
        and {"name", "version"} <= info.keys() <= {"name", "version", "title", "description", "websiteUrl"}
        and all(isinstance(text, str) for text in info.values())
    )


def capabilities_are_usual(capabilities: object) -> bool:
    """Known capabilities whose details are flags and empty objects, and named extensions with any settings."""
    if not isinstance(capabilities, dict):
        return False
    for name, detail in capabilities.items():
        if not isinstance(detail, dict):
            return False
        if name in _NAMED_OBJECTS:
            if not all(isinstance(settings, dict) for settings in detail.values()):
                return False
        elif name == "roots":
            if not detail.keys() <= {"listChanged"} or not isinstance(detail.get("listChanged", False), bool):
                return False
        elif name not in _OBJECTS or not _holds_objects_only(detail, 4):
            return False
    return True


def envelope_is_usual(meta: object, versions: list[str]) -> bool:
    """The required pair, and the client's name and a progress token if they are there."""
    return (
        isinstance(meta, dict)
        and {_VERSION, _CAPABILITIES} <= meta.keys() <= {_VERSION, _CAPABILITIES, _CLIENT_INFO, "progressToken"}
        and meta[_VERSION] in versions
        and capabilities_are_usual(meta[_CAPABILITIES])
        and (_CLIENT_INFO not in meta or implementation_is_usual(meta[_CLIENT_INFO]))
        and _is_token(meta.get("progressToken", 0))
    )


def meta_is_plain(meta: object, *, plain: bool) -> bool:
    """No `_meta` to speak of: empty, or a progress token and what other hosts put there for themselves, nothing of the protocol's own."""
    if not isinstance(meta, dict) or (meta and not plain):
        return False
    return _is_token(meta.get("progressToken", 0)) and not any(name.startswith(_PROTOCOL) for name in meta)


def _holds_objects_only(detail: dict[str, object], depth: int) -> bool:
    return depth > 0 and all(isinstance(inner, dict) and _holds_objects_only(inner, depth - 1) for inner in detail.values())


def _is_token(token: object) -> bool:
    return isinstance(token, str | int) and not isinstance(token, bool)
