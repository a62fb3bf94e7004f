"""Several states in one file of tables: what is said of the one that is shown."""

from inspector.backends.tinydb import BACKEND
from inspector.codecs.recognise import Recogniser
from inspector.progress import silent


def test_the_finding_says_which_state_is_shown(tmp_path):
    path = tmp_path / "three.json"
    path.write_text('{"t": {"1": {}}}{"t": {}}{"t": {"2": {}}}{"t": {"')
    with BACKEND.open(path, Recogniser(dict, 0), silent) as store:
        newest, cut = [finding.message for finding in store.info.findings]
        assert "the newest, the last, is shown. --state 1 to --state 2 show" in newest
        assert cut.endswith("The whole state before it is shown.")
        for number in (1, 2):
            shown, cut = [finding.message for finding in store.state(number).info.findings]
            assert f"; state {number} is shown; the newest, the last, is state 3." in shown
            assert cut.endswith(f"State {number}, which is whole, is shown.")
        assert store.state(3).info.findings == store.info.findings
