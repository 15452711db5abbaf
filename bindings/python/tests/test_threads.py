"""Threads and processes."""

from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from conftest import ANSEL, JOAO

import elf_gedcom as elf


def large(people: int) -> bytes:
    records = (f"0 @I{number}@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE 31 FEB 1850\n" for number in range(people))
    return ("0 HEAD\n1 CHAR UTF-8\n" + "".join(records) + "0 TRLR\n").encode()


def test_other_threads_go_on_while_a_file_is_checked() -> None:
    content = large(60_000)
    ticks, done = [], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    elf.open(content)
    elf.read_table("people", content)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(start < at < end for at in ticks) >= 5


def test_many_threads_read_and_edit_one_document() -> None:
    doc = elf.open(ANSEL)
    expected = doc.to_bytes()

    def work(number: int) -> None:
        for _ in range(50):
            assert doc["I1"]["NAME"].text == f"{JOAO} /Reis/"
            added = doc["I1"].add("OCCU", f"miller {number}")
            assert added.text == f"miller {number}"
            assert doc.people[0].name == f"{JOAO} Reis"
            added.remove()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert doc.to_bytes() == expected


def test_many_threads_check_many_files() -> None:
    content = large(200)
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: len(elf.check(content)), range(50)))
    assert set(counts) == {200}


def count(content: bytes) -> int:
    return len(elf.read_table("people", content)) + len(elf.check(content))


def test_processes_that_are_forked_have_threads_of_their_own() -> None:
    content = large(5000)
    expected = count(content)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        assert list(pool.map(count, [content] * 4, timeout=60)) == [expected] * 4
