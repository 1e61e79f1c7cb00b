"""From the greeting to the end of a session (bridge-behaviour 1; dialogues 01 to 05)."""

from __future__ import annotations

import base64
import hashlib
import ssl

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, Closed, Raw, S, talk
from tests.fakebridge.worlds import PASSWORD, USER

FULL = "AUTH=PLAIN ID IDLE IMAP4rev1 MOVE STARTTLS UIDPLUS UNSELECT"
BEFORE = "AUTH=PLAIN ID IDLE IMAP4rev1 STARTTLS"
LOGGED_IN = f"OK [CAPABILITY {FULL}] Logged in"
ALIAS = "ada.alias@proton.local"
OFF = "ada.off@proton.local"
WRONG = base64.b64encode(f"\0{USER}\0wrong".encode()).decode()
RIGHT = base64.b64encode(f"ignored\0{USER}\0{PASSWORD}".encode()).decode()


def test_greeting_names_all_capabilities_the_program_and_a_session_that_counts_from_one(stage: Stage) -> None:
    """bridge-behaviour 1.2: sorted, full list, version in three groups of two digits."""
    for number in (1, 2):
        talk(stage.connect(), S(f"* OK [CAPABILITY {FULL}] Proton Mail Bridge 03.21.01 - gluon session ID {number}"))


def test_capability_is_shorter_before_login_and_keeps_starttls_after_it(stage: Stage) -> None:
    """Dialogue 01: the filtered list is the same after STARTTLS; the full one comes with the login."""
    wire = stage.connect()
    talk(wire, S("* OK …"), C("a1 CAPABILITY"), S(f"* CAPABILITY {BEFORE}"), S("a1 OK CAPABILITY"))
    talk(wire, C("a2 STARTTLS"), S("a2 OK Begin TLS negotiation now"))
    wire.start_tls()
    talk(wire, C("a3 CAPABILITY"), S(f"* CAPABILITY {BEFORE}"), S("a3 OK CAPABILITY"))
    talk(wire, C(f"a4 LOGIN {USER} {PASSWORD}"), S(f"a4 {LOGGED_IN}"))
    talk(wire, C("a5 capability"), S(f"* CAPABILITY {FULL}"), S("a5 OK CAPABILITY"))


def test_no_extension_beyond_the_list_is_known(stage: Stage) -> None:
    """bridge-behaviour 3.9: each is an unknown command; nothing is half there."""
    wire = stage.log_in()
    for name in ("ENABLE", "NAMESPACE", "SORT", "THREAD", "GETQUOTAROOT", "GETQUOTA", "COMPRESS", "NOTIFY", "SETACL", "XLIST"):
        talk(wire, C(f"a1 {name} x"), S(f"a1 BAD [Error offset=4]: unknown command '{name.lower()}'"), C("n NOOP"), S("n OK …"))


def test_id_is_answered_before_login_whatever_the_client_says(stage: Stage) -> None:
    """bridge-behaviour 1.5: two values literally read TODO."""
    line = '* ID ("name" "Proton Mail Bridge" "version" "03.21.01" "os" "linux" "vendor" "TODO" "support-url" "TODO")'
    wire = stage.connect()
    talk(wire, S("* OK …"), C("a1 ID NIL"), S(line), S("a1 OK ID"))
    talk(wire, C('a2 ID ("name" "probe" "version" NIL)'), S(line), S("a2 OK ID"), C("a3 ID ()"), S(line), S("a3 OK ID"))


def test_without_an_application_name_greeting_and_id_lack_it(staged: Staging) -> None:
    """The recorded build has none: two blanks in the greeting, no name pair (dialogue 01)."""
    wire = staged(application_name="").connect()
    talk(wire, S(f"* OK [CAPABILITY {FULL}]  03.21.01 - gluon session ID 1"))
    talk(wire, C("a1 ID NIL"), S('* ID ("version" "03.21.01" "os" "linux" "vendor" "TODO" "support-url" "TODO")'), S("a1 OK ID"))


@pytest.mark.parametrize(
    "arguments",
    [f"{USER} {PASSWORD}", f'"{USER}" "{PASSWORD}"', f"{USER.upper()} {PASSWORD}", f"{ALIAS} {PASSWORD}"],
    ids=["atoms", "quoted", "upper case", "alias"],
)
def test_login_takes_atoms_and_strings_any_letter_case_and_every_enabled_address(stage: Stage, arguments: str) -> None:
    """bridge-behaviour 1.6; dialogue 02."""
    talk(stage.connect(), S("* OK …"), C(f"a1 LOGIN {arguments}"), S(f"a1 {LOGGED_IN}"))


def test_login_takes_literals(stage: Stage) -> None:
    """bridge-behaviour 1.6: each literal is asked for with its own continuation."""
    talk(
        stage.connect(),
        S("* OK …"),
        C(f"a1 LOGIN {{{len(USER)}}}"),
        S("+ Ready"),
        Raw(f"{USER} {{{len(PASSWORD)}}}\r\n".encode()),
        S("+ Ready"),
        C(PASSWORD),
        S(f"a1 {LOGGED_IN}"),
    )


@pytest.mark.parametrize("user", [OFF, "ada", "nobody@example.test"])
def test_disabled_bare_and_unknown_users_are_refused_like_a_wrong_password(stage: Stage, user: str) -> None:
    """Dialogue 02, 03: the refusals cannot be told apart."""
    talk(stage.connect(), S("* OK …"), C(f'a1 LOGIN "{user}" "{PASSWORD}"'), S("a1 NO no such user"))
    talk(stage.connect(), S("* OK …"), C(f'a1 LOGIN "{USER}" "wrong"'), S("a1 NO no such user"))


def test_third_failure_reads_differently_whichever_session_it_comes_from(stage: Stage) -> None:
    """Dialogue 03: one counter for the process; it is zeroed, and the right password works at once."""
    first, second = stage.connect(), stage.connect()
    talk(first, S("* OK …"), C("a1 LOGIN x y"), S("a1 NO no such user"))
    talk(second, S("* OK …"), C("a1 LOGIN x y"), S("a1 NO no such user"))
    talk(first, C("a2 LOGIN x y"), S("a2 NO too many login attempts"))
    talk(second, C("a2 LOGIN x y"), S("a2 NO no such user"), C(f"a3 LOGIN {USER} {PASSWORD}"), S(f"a3 {LOGGED_IN}"))


def test_success_zeroes_the_failure_counter(stage: Stage) -> None:
    """bridge-behaviour 1.6."""
    wire = stage.connect()
    talk(wire, S("* OK …"), C("a1 LOGIN x y"), S("a1 NO no such user"), C("a2 LOGIN x y"), S("a2 NO no such user"))
    stage.log_in()
    talk(wire, C("a3 LOGIN x y"), S("a3 NO no such user"))


def test_second_login_is_bad_and_the_session_goes_on(stage: Stage) -> None:
    """Dialogue 01."""
    wire = stage.log_in()
    talk(wire, C(f"a1 LOGIN {USER} {PASSWORD}"), S("a1 BAD session is already authenticated"), C("a2 NOOP"), S("a2 OK command …"))


def test_authenticate_plain_exchange(stage: Stage) -> None:
    """Dialogue 04: a continuation of three octets, refusals as syntax errors, the authorization identity ignored."""
    wire = stage.connect()
    talk(wire, S("* OK …"), C("a1 AUTHENTICATE PLAIN"), S("+"), C("*"), S("a1 BAD [Error offset=24]: client aborted authentication"))
    talk(wire, C("a2 AUTHENTICATE PLAIN"), S("+"), C("!!!"), S("a2 BAD [Error offset=26]: invalid base64 content"))
    talk(wire, C("a3 AUTHENTICATE PLAIN"), S("+"), C("AAAA"), S("a3 BAD [Error offset=27]: invalid authentication data"))
    talk(wire, C("a4 AUTHENTICATE PLAIN"), S("+"), C(WRONG), S("a4 NO no such user"))
    talk(wire, C(f"a5 AUTHENTICATE PLAIN {RIGHT}"), S("a5 BAD [Error offset=21]: expected CR"))
    talk(wire, C("a6 AUTHENTICATE CRAM-MD5"), S("a6 BAD [Error offset=24]: unsupported authentication mechanism"))
    talk(wire, C("a7 authenticate plain"), S("+"), C(RIGHT), S(f"a7 {LOGGED_IN}"))


def test_without_auth_plain_the_command_is_unknown(staged: Staging) -> None:
    """bridge-behaviour 0.3: builds before 3.16."""
    wire = staged(profile={"auth_plain": False}).connect()
    talk(wire, S("* OK [CAPABILITY ID IDLE IMAP4rev1 MOVE STARTTLS UIDPLUS UNSELECT] …"))
    talk(wire, C("a1 AUTHENTICATE PLAIN"), S("a1 BAD [Error offset=4]: unknown command 'authenticate'"))


@pytest.mark.parametrize(
    "command", ["SELECT INBOX", 'LIST "" *', "FETCH 1 FLAGS", "IDLE", "CHECK", "UID SEARCH ALL", "STATUS x (MESSAGES)"]
)
def test_commands_before_login_are_refused_with_no(stage: Stage, command: str) -> None:
    """Dialogue 05."""
    talk(stage.connect(), S("* OK …"), C(f"a1 {command}"), S("a1 NO session is not authenticated"))


@pytest.mark.parametrize("command", ["FETCH 1 FLAGS", "CLOSE", "UNSELECT", "EXPUNGE", "UID EXPUNGE 1", "SEARCH ALL", "CHECK", "MOVE 1 x"])
def test_commands_without_a_mailbox_are_refused_with_no(stage: Stage, command: str) -> None:
    """Dialogues 01, 05."""
    talk(stage.log_in(), C(f"a1 {command}"), S("a1 NO session is not selected"))


def test_logout_says_bye_without_a_text_and_closes(stage: Stage) -> None:
    """bridge-behaviour 1.10."""
    talk(stage.connect(), S("* OK …"), C("a1 LOGOUT"), S("* BYE"), S("a1 OK LOGOUT"), Closed())


def test_a_tls_hello_on_the_plain_port_closes_the_socket_without_a_word(stage: Stage) -> None:
    """bridge-behaviour 1.1: recognised by its first octets."""
    talk(stage.connect(), S("* OK …"), Raw(bytes.fromhex("1603010200010001fc0303") + b"\n"), Closed())


def test_starttls_shows_the_certificate_of_the_ready_line(stage: Stage) -> None:
    """bridge-behaviour 1.4: the same certificate for every connection."""
    wire = stage.connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK Begin TLS negotiation now"))
    wire.start_tls()
    assert wire.certificate is not None
    assert hashlib.sha256(wire.certificate).hexdigest() == stage.bridge.ready["certificate_sha256"]
    told = stage.bridge.ask("certificate")
    assert told["certificate_sha256"] == stage.bridge.ready["certificate_sha256"]
    assert ssl.PEM_cert_to_DER_cert(told["pem"]) == wire.certificate


def test_pipelined_commands_are_answered_in_order(stage: Stage) -> None:
    """Dialogue 39; the continuation of a waiting APPEND comes while the command before it is still to be carried out."""
    wire = stage.log_in()
    talk(
        wire,
        Raw(b"a1 NOOP\r\na2 SELECT Nothing\r\na3 ID NIL\r\na4 LOGOUT\r\n"),
        S("a1 OK command completed in … microsec."),
        S("a2 NO no such mailbox"),
        S("* ID …"),
        S("a3 OK ID"),
        S("* BYE"),
        S("a4 OK LOGOUT"),
        Closed(),
    )
