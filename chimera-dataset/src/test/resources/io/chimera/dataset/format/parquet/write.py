"""Writes the Parquet files of the tests. See README.md."""
import decimal
import datetime

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 150


def nullable(value, is_null):
    return None if is_null else value


def rows():
    for i in range(ROWS):
        yield {
            "time": nullable(1_700_000_000_000 + 1000 * i, i % 50 == 49),
            "host": nullable(f"host-{i % 7}", i % 11 == 3),
            "region": ["de", "fr", "\u00f6sterreich"][i % 3],
            "value": nullable(i * 0.25, i % 5 == 2),
            "count": i * i * 1_000_003 - 1_000_000_000,
            "small": nullable(-i, i % 4 == 1),
            "ok": nullable(i % 2 == 0, i % 13 == 0),
            "note": nullable(f"note {i} of {i % 3} " + "x" * (i % 9), i % 17 == 0),
        }


SCHEMA = pa.schema([
    pa.field("time", pa.timestamp("ms", tz="UTC")),
    pa.field("host", pa.string()),
    pa.field("region", pa.string(), nullable=False),
    pa.field("value", pa.float64()),
    pa.field("count", pa.int64(), nullable=False),
    pa.field("small", pa.int32()),
    pa.field("ok", pa.bool_()),
    pa.field("note", pa.string()),
])
TABLE = pa.Table.from_pylist(list(rows()), SCHEMA)
DELTA = {
    "time": "DELTA_BINARY_PACKED",
    "host": "DELTA_BYTE_ARRAY",
    "region": "DELTA_LENGTH_BYTE_ARRAY",
    "value": "BYTE_STREAM_SPLIT",
    "count": "DELTA_BINARY_PACKED",
    "small": "DELTA_BINARY_PACKED",
    "ok": "RLE",
    "note": "DELTA_BYTE_ARRAY",
}
SPLIT = {
    "time": "BYTE_STREAM_SPLIT",
    "host": "PLAIN",
    "region": "DELTA_BYTE_ARRAY",
    "value": "BYTE_STREAM_SPLIT",
    "count": "BYTE_STREAM_SPLIT",
    "small": "BYTE_STREAM_SPLIT",
    "ok": "PLAIN",
    "note": "DELTA_LENGTH_BYTE_ARRAY",
}


def write(name, **options):
    options.setdefault("write_statistics", False)
    options.setdefault("store_schema", False)
    pq.write_table(TABLE, name + ".parquet", **options)


write("plain-v1", compression="none", use_dictionary=False)
write("dictionary-snappy-v1", compression="snappy")
write("dictionary-zstd-v2", compression="zstd", data_page_version="2.0")
write("plain-gzip-v2", compression="gzip", use_dictionary=False, data_page_version="2.0")
write("plain-lz4-raw-v1", compression="lz4", use_dictionary=False)
write("delta-v1", compression="none", use_dictionary=False, column_encoding=DELTA)
write("delta-zstd-v2", compression="zstd", use_dictionary=False, column_encoding=DELTA, data_page_version="2.0")
write("split-v1", compression="none", use_dictionary=False, column_encoding=SPLIT)
write("groups-snappy", compression="snappy", row_group_size=10)
write("pages-checksum", compression="none", data_page_size=64, write_batch_size=8, write_page_checksum=True,
      row_group_size=90, write_statistics=True)
write("brotli", compression="brotli")

frame = polars.from_arrow(TABLE)
frame.write_parquet("polars.parquet", compression="zstd", row_group_size=100)
duckdb.sql("set threads=1")
duckdb.register("points", TABLE)
duckdb.sql("copy points to 'duckdb-v1.parquet' (format parquet)")
duckdb.sql("copy points to 'duckdb-v2.parquet' (format parquet, parquet_version v2, codec zstd)")

N = 4
TYPES = pa.table({
    "seconds": pa.array(range(1_700_000_000, 1_700_000_000 + N), pa.int64()),
    "ns": pa.array([1_700_000_000_000_000_000 + i for i in range(N)], pa.timestamp("ns")),
    "us": pa.array([1_700_000_000_000_000 + i for i in range(N)], pa.timestamp("us", tz="UTC")),
    "day": pa.array([datetime.date(2024, 2, 29)] * N, pa.date32()),
    "far": pa.array([1 << 62] * N, pa.timestamp("ms")),
    "u8": pa.array([255] * N, pa.uint8()),
    "u32": pa.array([4294967295] * N, pa.uint32()),
    "u64": pa.array([18446744073709551615] * N, pa.uint64()),
    "i16": pa.array([-32768] * N, pa.int16()),
    "f32": pa.array([0.5] * N, pa.float32()),
    "decimal9": pa.array([decimal.Decimal("-12.34")] * N, pa.decimal128(9, 2)),
    "decimal18": pa.array([decimal.Decimal("123456789.0625")] * N, pa.decimal128(18, 4)),
    "decimal38": pa.array([decimal.Decimal("1.5")] * N, pa.decimal128(38, 4)),
    "bytes": pa.array([b"\xff\xfe", b"ok", None, b""], pa.binary()),
    "nan": pa.array([float("nan"), 1.0, 2.0, 3.0], pa.float64()),
    "meta": pa.array([{"host": "a", "inner": {"rack": 7}}, {"host": "b", "inner": None}, None, {"host": "", "inner": {"rack": None}}],
                     pa.struct([("host", pa.string()), ("inner", pa.struct([("rack", pa.int32())]))])),
    "list": pa.array([[1, 2]] * N, pa.list_(pa.int32())),
})
pq.write_table(TYPES, "types.parquet", store_decimal_as_integer=True, write_statistics=False, store_schema=False)
pq.write_table(TYPES.select(["ns", "f32"]), "int96.parquet", use_deprecated_int96_timestamps=True,
               write_statistics=False, store_schema=False)
