"""The convert sheet over the real window: the form, the live plan, losses that must be accepted, the command."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QSpinBox
from pytestqt.qtbot import QtBot
from sheets import convert_sheet, menu, nameless, planned, result
from windows import open_one, open_window, settle

from inspector.gui.controls import Button
from inspector.gui.convert_form import CodecForm, CollectionsModel, CollectionsView
from inspector.gui.convert_plan import LossModel
from inspector.gui.convert_sheet import ConvertSheet
from inspector.gui.convert_work import first_target, loss_text, place_text, proposed
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.texts import size_text
from inspector.gui.theme import Theme
from inspector.model import CollectionInfo, Loss
from inspector.operations.open import open_store
from inspector.operations.targets import configuration_for, targets

TABLES = (CollectionInfo("users", "users", "table", 3, 90), CollectionInfo("logs", "logs", "table", 12_034, 400))


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


@pytest.fixture
def folder(samples: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(samples, tmp_path / "stores"))


@pytest.fixture
def notebook(folder: Path) -> Path:
    return folder / "notebook" / "notebook.ystore.db"


def press(button: Button) -> None:
    QApplication.processEvents()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_plain_conversion_is_proposed_planned_written_and_opened(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    source = folder / "shop.json"
    open_one(qtbot, window, source)
    sheet = convert_sheet(qtbot, window)
    assert sheet.target().id == "betterjson"
    target = sheet.file.path()
    assert target is not None
    assert target == proposed(source, sheet.target(), targets())
    assert [sheet.plan.facts.value(row) for row in (0, 1)] == ["2,020", "408 kB"]
    assert sheet.plan.sound.isVisible()
    assert sheet.plan.table.isHidden()
    assert sheet.go.text() == "Convert to BetterJSON"
    assert sheet.space.text().endswith(" free")
    press(sheet.go)
    page = result(qtbot, window)
    settle(qtbot, window)
    with open_store(target) as store:
        assert [entry.records for entry in store.collections] == [400, 120, 1500]
    press(page.result)
    settle(qtbot, window)
    assert [opened.path.name for opened in window.stores] == ["shop.json", target.name]


def test_losses_are_listed_and_must_be_accepted(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "TinyDB JSON")
    model = sheet.plan.model
    assert [model.index(0, column).data() for column in range(3)] == [
        "Versions before the newest",
        "666",
        "analysis.ipynb, notes.md",
    ]
    assert not sheet.go.isEnabled()
    sheet.plan.accept_losses.click()
    assert sheet.go.isEnabled()
    press(sheet.go)
    page = result(qtbot, window)
    assert page._outcome.losses == (Loss("history", 666, page._outcome.losses[0].where),)
    assert notebook.with_name("notebook.json").exists()


def test_the_tick_is_for_the_losses_that_were_seen(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "TinyDB JSON")
    sheet.plan.accept_losses.click()
    sheet.collections.setData(sheet.collections.index(1), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    planned(qtbot, sheet)
    assert sheet.plan.model.index(0, 1).data() == "580"
    assert not sheet.plan.accept_losses.isChecked()
    assert not sheet.go.isEnabled()


def test_without_a_loss_no_tick_is_needed_and_none_is_passed_on(
    qtbot: QtBot, window: MainWindow, notebook: Path
) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "TinyDB JSON")
    sheet.plan.accept_losses.click()
    sheet.format.setCurrentText("pycrdt ystore")
    planned(qtbot, sheet)
    job = sheet.job()
    assert job is not None
    assert not job.accept_losses
    assert sheet.go.isEnabled()


def test_the_form_of_a_codec_is_made_of_its_parameters(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "pycrdt ystore")
    assert sheet.codec.fields() == {}
    sheet.codec.codec.setCurrentText("Zstandard")
    level = sheet.codec.fields()["level"]
    assert isinstance(level, QSpinBox)
    assert (level.value(), level.accessibleName()) == (3, "Level")
    level.setValue(19)
    assert sheet.codec.spec() == "zstd:level=19"
    planned(qtbot, sheet)
    assert sheet.plan.opens.text() == "Opens in Jupyter with its configuration."
    press(sheet.go)
    result(qtbot, window)
    with open_store(notebook.with_name("notebook-2.ystore.db")) as store:
        assert store.info.codec.startswith("zstd")


def test_the_copied_command_does_the_same(
    qtbot: QtBot, window: MainWindow, notebook: Path, inspect: Callable[..., Any]
) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "BetterJSON")
    sheet.collections.setData(sheet.collections.index(1), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    sheet.version.setText("100")
    planned(qtbot, sheet)
    sheet.plan.accept_losses.click()
    press(sheet.command)
    words = shlex.split(QGuiApplication.clipboard().text())
    press(sheet.go)
    page = result(qtbot, window)
    assert words == shlex.split(page._outcome.command)
    target = page._outcome.target
    by_window = target.read_bytes()
    target.unlink()
    done = inspect(*words[1:], "--json")
    assert done.code == 0
    assert target.read_bytes() == by_window
    assert {**done.json, "seconds": 0} == {**page._outcome.to_json(), "seconds": 0}


def test_a_file_that_exists_is_replaced_only_when_told_and_is_kept(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    open_one(qtbot, window, folder / "shop.json")
    before = (folder / "shop.db").read_bytes()
    sheet = convert_sheet(qtbot, window)
    sheet.file.set_path(folder / "shop.db")
    planned(qtbot, sheet)
    assert sheet.plan.exists.isVisible()
    assert not sheet.go.isEnabled()
    sheet.plan.replace.click()
    press(sheet.go)
    page = result(qtbot, window)
    assert (folder / "shop.db.bak").read_bytes() == before
    press(page.undo)
    qtbot.waitUntil(page.undo.isHidden, timeout=10000)
    assert (folder / "shop.db").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shop.json", "is the store itself"),
        ("nowhere/x.db", "does not exist"),
        ("notebook", "is a folder"),
    ],
)
def test_a_target_that_cannot_be_written_is_said_at_once(
    qtbot: QtBot, window: MainWindow, folder: Path, name: str, words: str
) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    sheet.file.set_path(folder / name)
    planned(qtbot, sheet)
    assert words in sheet.plan.problem.text()
    assert sheet.plan.problem.isVisible()
    assert sheet.plan.facts.isHidden()
    assert not sheet.go.isEnabled()


def test_nothing_picked_and_nothing_named_are_said(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    for row in range(3):
        sheet.collections.setData(sheet.collections.index(row), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    planned(qtbot, sheet)
    assert sheet.plan.problem.text() == "Choose at least one table or document."
    assert not sheet.command.isEnabled()
    sheet.file.field.clear()
    planned(qtbot, sheet)
    assert sheet.plan.problem.text() == "Name the file to write."


def test_what_the_user_names_stays_when_the_format_changes(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    sheet.format.setCurrentText("pycrdt ystore")
    assert sheet.file.path() == folder / "shop.ystore.db"
    sheet.file.field.clear()
    QTest.keyClicks(sheet.file.field, str(folder / "mine"))
    sheet.format.setCurrentText("BetterJSON")
    assert sheet.file.path() == folder / "mine"


def test_browse_takes_the_name_that_was_chosen(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(folder / "chosen.db"), ""))
    press(sheet.file.browse)
    assert sheet.file.path() == folder / "chosen.db"


def test_collections_given_by_the_caller_are_the_only_ones_picked(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    store = open_one(qtbot, window, folder / "shop.json")
    window.convert(store, ["orders"])
    sheet = window.findChild(ConvertSheet)
    assert isinstance(sheet, ConvertSheet)
    planned(qtbot, sheet)
    job = sheet.job()
    assert job is not None
    assert job.collections == ("orders",)
    assert sheet.plan.facts.value(0) == "1,500"


def test_a_job_that_ends_badly_says_why_in_the_sheet(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    target = sheet.file.path()
    assert target is not None
    target.write_text("came meanwhile")
    press(sheet.go)
    qtbot.waitUntil(window._toast.isVisible, timeout=10000)
    assert window._toast._label.text() == "shop.json was not converted; nothing was written"
    assert target.read_text() == "came meanwhile"
    press(window._toast._action)
    assert window._toast._tone == "error"
    again = next(found for found in window.findChildren(ConvertSheet) if found is not sheet)
    planned(qtbot, again)
    again.cancel()
    settle(qtbot, window)


def test_an_attempt_that_did_not_work_is_shown_again_as_it_was(
    qtbot: QtBot, window: MainWindow, notebook: Path
) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "BetterJSON")
    method = sheet.codec.fields()["codec"]
    assert isinstance(method, QComboBox)
    method.setCurrentText("lz4")
    sheet.collections.setData(sheet.collections.index(1), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    sheet.version.setText("100")
    sheet.file.set_path(notebook.with_name("mine.db"))
    planned(qtbot, sheet)
    sheet.plan.accept_losses.click()
    job = sheet.job()
    assert job is not None
    assert job.codec == "blosc2:codec=lz4"
    notebook.with_name("mine.db").write_text("came meanwhile")
    press(sheet.go)
    qtbot.waitUntil(window._toast.isVisible, timeout=10000)
    press(window._toast._action)
    again = next(found for found in window.findChildren(ConvertSheet) if found is not sheet)
    planned(qtbot, again)
    assert again.job() == job
    assert again.plan.exists.isVisible()
    again.cancel()
    settle(qtbot, window)


@pytest.mark.parametrize("codec", ["blosc2:codec=lz4hc,level=3,blocksize=65536", "blosc2"])
def test_a_spec_is_put_into_the_form_and_read_from_it(qtbot: QtBot, codec: str) -> None:
    form = CodecForm()
    qtbot.addWidget(form)
    form.set_target(next(target for target in targets() if target.id == "betterjson"))
    form.choose(codec)
    assert form.spec() == codec
    words = [field.accessibleName() for field in form.fields().values()]
    assert words == ["Method", "Level", "Block size, bytes"]
    assert len({field.height() for field in form.fields().values()}) == 1


def test_another_file_name_plans_nothing_anew(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    settle(qtbot, window)
    plan, size = sheet._planned, sheet.plan.facts.value(2)
    sheet.file.set_path(folder / "other.db")
    planned(qtbot, sheet)
    assert sheet._planned is plan
    assert sheet.plan.facts.value(2) == size
    assert sheet.go.isEnabled()


def test_a_store_with_one_table_stays_sound_when_theme_and_text_size_change(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, look: Theme
) -> None:
    path = tmp_path / "one.json"
    path.write_text('{"_default": {"1": {"a": 1}}}')
    open_one(qtbot, window, path)
    sheet = convert_sheet(qtbot, window)
    sheet.cancel()
    qtbot.waitUntil(lambda: not window.findChildren(ConvertSheet), timeout=5000)
    look.set_mode("dark")
    look.set_text_scale(1.25)
    QApplication.processEvents()
    assert not [view for view in QApplication.allWidgets() if isinstance(view, CollectionsView)]


def test_form_and_plan_stand_one_below_the_other_where_there_is_no_room(
    qtbot: QtBot, window: MainWindow, notebook: Path, look: Theme
) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "TinyDB JSON")
    for size, scale in (((1440, 900), 1), ((960, 600), 1), ((960, 600), 2)):
        window.resize(*size)
        look.set_text_scale(scale)
        QApplication.processEvents()
        for widget in (sheet.format, sheet.plan.table, sheet.plan.facts):
            right = widget.mapTo(sheet._panel, widget.rect().topRight()).x()
            assert right <= sheet._panel.width(), (widget, size, scale)


def test_the_size_after_is_measured_before_anything_is_written(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    settle(qtbot, window)
    shown = sheet.plan.facts.value(2)
    press(sheet.go)
    page = result(qtbot, window)
    assert shown == size_text(page._outcome.bytes_after)


def test_a_sheet_that_closes_before_its_plan_starts_no_work(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    menu(window, "Convert…").trigger()
    sheet = window.findChild(ConvertSheet)
    assert isinstance(sheet, ConvertSheet)
    assert sheet._pause.isActive()
    sheet.cancel()
    assert not sheet._pause.isActive()
    settle(qtbot, window)


def test_escape_leaves_and_the_plan_is_dropped(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    menu(window, "Convert…").trigger()
    sheet = window.findChild(ConvertSheet)
    assert isinstance(sheet, ConvertSheet)
    assert QApplication.focusWidget() is sheet.format
    QTest.keyClick(sheet.format, Qt.Key.Key_Escape)
    settle(qtbot, window)
    assert sorted(path.name for path in folder.iterdir()) == ["notebook", "samples.json", "shop.db", "shop.json"]


def test_everything_has_a_name_and_nothing_is_cut_off(
    qtbot: QtBot, window: MainWindow, notebook: Path, look: Theme
) -> None:
    open_one(qtbot, window, notebook)
    sheet = convert_sheet(qtbot, window, "TinyDB JSON")
    assert nameless(sheet) == []
    for width, height, scale in ((1440, 900, 1), (1000, 700, 1), (1440, 900, 2)):
        window.resize(width, height)
        look.set_text_scale(scale)
        QApplication.processEvents()
        for button in (sheet.go, sheet.stop, sheet.command, sheet.file.browse):
            assert button.width() >= button.sizeHint().width(), (button.text(), width, scale)


def test_models_keep_qts_rules(qtbot: QtBot) -> None:
    losses, tables = LossModel(), CollectionsModel(TABLES, ["logs"])
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = [QAbstractItemModelTester(losses, fatal), QAbstractItemModelTester(tables, fatal)]
    where = tuple(f"users/{number}" for number in range(9))
    losses.set_losses([Loss("not-a-number", 9, where)], {"users": "people"})
    assert losses.index(0, 2).data() == "people/0, people/1, people/2, people/3, …"
    assert tables.picked() == ("logs",)
    assert tables.index(1).data() == "logs · 12,034 records"
    assert not tables.all_picked()
    tables.setData(tables.index(0), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    assert tables.all_picked()
    losses.set_losses([], {})
    assert len(testers) == 2


def test_every_codec_of_every_target_has_a_form_whose_spec_it_reads(qtbot: QtBot) -> None:
    form = CodecForm()
    qtbot.addWidget(form)
    for target in targets():
        form.set_target(target)
        assert form.spec() == target.default_codec
        for number, offer in enumerate(target.codecs):
            form.codec.setCurrentIndex(number)
            assert form.spec() == offer.id
            for parameter in offer.parameters:
                field = form.fields()[parameter.name]
                if isinstance(field, QComboBox):
                    assert [field.itemText(row) for row in range(field.count())] == list(parameter.choices)
                else:
                    assert (field.minimum(), field.maximum()) == (parameter.least, parameter.most)


def test_names_and_formats_are_proposed(tmp_path: Path) -> None:
    known = targets()
    ids = [target.id for target in known]
    assert ids[first_target(known, "tinydb", 3)] == "betterjson"
    assert ids[first_target(known, "betterjson", 3)] == "tinydb"
    better = known[ids.index("ystore")]
    assert proposed(tmp_path / "a.b.json", better, known) == tmp_path / "a.b.ystore.db"
    assert proposed(tmp_path / "plain", better, known) == tmp_path / "plain.ystore.db"
    (tmp_path / "plain.ystore.db").touch()
    assert proposed(tmp_path / "plain", better, known) == tmp_path / "plain-2.ystore.db"


def test_losses_are_said_in_words() -> None:
    assert loss_text("lone-surrogate") == "Lone surrogates in texts"
    assert loss_text("something-new") == "Something new"
    assert place_text("a/b/7", {"a/b": "lab"}) == "lab/7"
    assert place_text("elsewhere/7", {"a/b": "lab"}) == "elsewhere/7"


def test_a_configuration_is_made_for_what_will_be_written(notebook: Path, inspect: Callable[..., Any]) -> None:
    target = notebook.with_name("small.ystore.db")
    with open_store(notebook) as store:
        text = configuration_for(store, target, "brotli:quality=9")
    done = inspect("convert", notebook, target, "--to", "ystore", "--codec", "brotli:quality=9")
    assert done.code == 0
    assert "quality=9" in text
    assert str(target) in text
