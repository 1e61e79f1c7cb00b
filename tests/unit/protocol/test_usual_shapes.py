"""What the front door takes for a usual handshake or envelope is never something that the SDK would refuse."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from mcp_types import InitializeRequestParams
from mcp_types.methods import validate_client_request
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from proton_safe.protocol.usual_shapes import bare, capabilities_are_usual, envelope_is_usual, implementation_is_usual

_SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.floats(allow_nan=False, allow_infinity=False), st.text("ab", max_size=2)
)
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "form", "context"]), inner, max_size=2)
)
_NAMES = ["roots", "sampling", "elicitation", "tasks", "experimental", "extensions", "logging", "other"]
_DETAIL_NAMES = ["listChanged", "form", "url", "context", "tools", "list", "cancel", "requests", "sampling", "createMessage", "x"]
_OBJECTS: st.SearchStrategy[Any] = st.recursive(
    st.just({}), lambda inner: st.dictionaries(st.sampled_from(_DETAIL_NAMES), inner | st.booleans(), max_size=3), max_leaves=6
)
_CAPABILITIES = st.dictionaries(st.sampled_from(_NAMES), _OBJECTS | _VALUES, max_size=3) | _VALUES
_TEXTS = st.text(max_size=3) | _VALUES
_INFO = (
    st.fixed_dictionaries(
        {"name": _TEXTS, "version": _TEXTS},
        optional={"title": _TEXTS, "description": _TEXTS, "websiteUrl": _TEXTS, "icons": _VALUES, "x": _VALUES},
    )
    | _VALUES
)
# Of all those few are usual; nearly all of these are.
_KEYS = st.sampled_from(["", "a", "\u00e9/b"])
_EMPTY: st.SearchStrategy[Any] = st.recursive(
    st.just({}), lambda inner: st.dictionaries(st.sampled_from(_DETAIL_NAMES), inner, max_size=3), max_leaves=6
)
_NEAR_CAPABILITIES = st.fixed_dictionaries(
    {},
    optional={
        "roots": st.fixed_dictionaries({}, optional={"listChanged": st.booleans()}),
        **dict.fromkeys(("sampling", "elicitation", "tasks"), _EMPTY),
        **dict.fromkeys(("experimental", "extensions"), st.dictionaries(_KEYS, st.dictionaries(_KEYS, _SCALARS, max_size=1), max_size=2)),
    },
)
_NEAR_INFO = st.fixed_dictionaries(
    {"name": st.text(max_size=3), "version": st.text(max_size=3)},
    optional=dict.fromkeys(("title", "description", "websiteUrl"), st.text(max_size=3)),
)
_NEAR_BARE = st.fixed_dictionaries({}, optional={"_meta": st.fixed_dictionaries({}, optional={"progressToken": _SCALARS | st.integers()})})
_METHODS = st.sampled_from(["server/discover", "tools/list", "tools/call"])
_TOKENS = st.sampled_from([1, "a", None, True, 1.5])
_ANY_CAPABILITIES = st.one_of(_NEAR_CAPABILITIES, _CAPABILITIES)
_ANY_INFO = st.one_of(_NEAR_INFO, _INFO)


@given(_ANY_CAPABILITIES, _ANY_INFO, st.sampled_from(HANDSHAKE_PROTOCOL_VERSIONS))
def test_usual_handshake_is_valid(capabilities: Any, info: Any, version: str) -> None:  # noqa: ANN401 - any JSON value
    """In every version, by the wire's model and by the server's."""
    params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": info}
    assume(capabilities_are_usual(capabilities) and implementation_is_usual(info))
    for known in HANDSHAKE_PROTOCOL_VERSIONS:
        validate_client_request("initialize", known, params)
    InitializeRequestParams.model_validate(params, by_name=False)


@given(_ANY_CAPABILITIES, _ANY_INFO, _METHODS, _TOKENS)
def test_usual_envelope_is_valid(capabilities: Any, info: Any, method: str, token: object) -> None:  # noqa: ANN401 - any JSON value
    """By the wire's model of the modern era."""
    version = MODERN_PROTOCOL_VERSIONS[0]
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": info,
        "progressToken": token,
    }
    assume(envelope_is_usual(meta, list(MODERN_PROTOCOL_VERSIONS)))
    params = {"_meta": meta, **({"name": "x", "arguments": {}} if method == "tools/call" else {})}
    validate_client_request(method, version, params)


@given(_NEAR_BARE)
def test_bare_parameters_are_valid(params: dict[str, Any]) -> None:
    """Nothing that a method could read, so nothing that it could refuse."""
    assume(bare(params))
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        validate_client_request("ping", version, params)
        validate_client_request("tools/list", version, params)


def test_what_known_clients_send_is_usual() -> None:
    """The handshakes of the SDKs and of hosts; one that isn't usual only costs the engine's start."""
    assert implementation_is_usual({"name": "claude-ai", "version": "0.1.0"})
    assert implementation_is_usual(
        {"name": "Visual Studio Code", "version": "1.107", "title": "VS Code", "websiteUrl": "https://vscode.example"}
    )
    assert capabilities_are_usual({})
    assert capabilities_are_usual(
        {"roots": {"listChanged": True}, "sampling": {"tools": {}, "context": {}}, "elicitation": {"form": {}, "url": {}}}
    )
    assert capabilities_are_usual({"experimental": {"x": {"y": 1}}, "extensions": {"io.example/ui": {"mimeTypes": ["text/html"]}}})
    assert capabilities_are_usual({"tasks": {"list": {}, "cancel": {}, "requests": {"sampling": {"createMessage": {}}}}})
    assert not capabilities_are_usual({"experimental": {"x": 1}})
    assert not capabilities_are_usual({"roots": {"listChanged": 1}})
    assert bare({"_meta": {"progressToken": 3}})
    assert not bare({"cursor": None})
