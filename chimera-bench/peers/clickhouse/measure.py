"""Rows of packets in ClickHouse with bloom filters as skip indices; see io.chimera.bench.archive.peers.ClickHouse.

Arguments: folder of the database, file of rows (RowBinary), address of the hit, protocol of the hit, address of the miss,
repetitions of each query. Prints a name and a number per line.
"""

import sys
import time

from chdb import session

COLUMNS = (
    "time_ns Int64, src UInt32, dst UInt32, protocol UInt8, "
    "sport UInt16, dport UInt16, length UInt16, number UInt32"
)
INDEXED = ("src", "dst", "sport", "dport")


def main(folder, rows, hit, protocol, miss, times):
    database = session.Session(folder)
    indices = ", ".join(
        f"INDEX by_{column} {column} TYPE bloom_filter(0.01) GRANULARITY 1" for column in INDEXED
    )
    database.query("CREATE DATABASE bench")
    database.query(
        f"CREATE TABLE bench.packets ({COLUMNS}, {indices}) ENGINE = MergeTree ORDER BY time_ns "
        "SETTINGS index_granularity = 1024"
    )
    start, cpu = time.perf_counter(), time.process_time()
    database.query(f"INSERT INTO bench.packets SELECT * FROM file('{rows}', 'RowBinary', '{COLUMNS}')")
    print("insert_s", time.perf_counter() - start)
    print("insert_cpu_s", time.process_time() - cpu)
    database.query("OPTIMIZE TABLE bench.packets FINAL")
    sizes = database.query(
        "SELECT sum(data_compressed_bytes) FROM system.data_skipping_indices WHERE table = 'packets'", "CSV"
    )
    print("index_bytes", str(sizes).strip())
    for name, question in (
        ("hit", f"(src = {hit} OR dst = {hit}) AND protocol = {protocol}"),
        ("miss", f"src = {miss} OR dst = {miss}"),
    ):
        for _ in range(int(times)):
            start = time.perf_counter()
            found = database.query(f"SELECT number FROM bench.packets WHERE {question}", "RowBinary")
            print(name + "_ms", (time.perf_counter() - start) * 1e3)
        print(name + "_packets", len(found.bytes()) // 4)
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
