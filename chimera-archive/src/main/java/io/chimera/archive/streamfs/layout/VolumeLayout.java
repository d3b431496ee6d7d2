package io.chimera.archive.streamfs.layout;

/**
 * Layout of a volume. All numbers are little-endian; MAC is SipHash-2-4 with the secret of the volume.
 *
 * <pre>
 * device:  head                                       blocks of 1 MiB
 *          +-------+-------+---------+---------+      +---------+---------+---------+---
 *          | label | label | root 0  | root 1  |      | slot 0  | slot n  | slot 2n | ...    n devices, striped
 *          +-------+-------+---------+---------+      +---------+---------+---------+---
 *          twice   (device 0: roots, in turn; both when the directory changes)
 *
 * slots, in the order of the frontier:  | block | block | ... | map |  block | ... | map |   every 256th is a map
 *
 * block:   | run                      | run          | not yet written     |   of one stream
 * run:     | header 128 | record | record | ... | 0 | trailer 32 |            whole sectors, written once
 * record:  | header 40 | bytes | 0 to a multiple of 32 |
 * </pre>
 *
 * <p>A block filled before its first forced write is a single run. Records forced out by {@code sync} or the linger
 * time become a separate run, and the next run begins in the next sector.
 *
 * <pre>
 * run header                                    record header
 *   0 u64 magic                                   0 u32 length of the bytes
 *   8 u32 stream                                  4 u32 CRC32C of the bytes
 *  12 u32 epoch: which opening wrote it           8 u32 stream
 *  16 u64 number of the block in the stream      12 u32 epoch
 *  24 u64 position of the frontier               16 u64 number in the stream
 *  32 u32 offset of the run in the block         24 i64 time, ns
 *  36 u32 length of the run                      32 u64 MAC of 0..31, of the number of the block,
 *  40 u64 number of the first record                    and of the offset in the block
 *  48 u32 records
 *  52 u32 end of the last record, in the block  run trailer
 *  56 i64 least time in the block                 0 u64 magic
 *  64 i64 greatest time in the block              8 u32 epoch
 *  72 u64 durable records of the stream          12 u32 CRC32C as in the header
 *  80 u64 MAC of the stream's run before         16 u64 number of the block
 *  88 u32 CRC32C of the headers of its records   24 u64 MAC as in the header
 *  92 u32 0
 *  96 u64 MAC of 0..95
 * 104     0
 * </pre>
 *
 * <p>The CRC of a run covers the headers of its records and thereby, through the CRCs in the headers, every byte of the
 * records. Each run contains the MAC of the previous run of the stream, so unacknowledged runs left over from a loss of
 * power never join a chain.
 *
 * <pre>
 * map: header 64                                entry 64, of each block of the group
 *   0 u64 magic                                   0 u32 stream + 1; 0: free
 *   8 u32 CRC32C of the rest                      4 u32 1: partly undurable or damaged: read it
 *  12 u32 entries                                 8 u64 number of the block
 *  16 u64 volume                                 16 u64 position
 *  24 u64 group, counted from the first turn     24 u64 number of the first record
 *                                                32 i64 least time   40 i64 greatest time
 *                                                48 u64 MAC of the last run
 *                                                56 u32 end of the last record   60 u32 0
 *
 * label: 0 u64 magic, 8 u32 CRC32C of the rest, 12 u32 version, 16 u64 volume, 24 u64 secret, 32 u64 secret,
 *        40 u32 device, 44 u32 devices, 48 u32 alignment, 52 u32 bytes of a block, 56 u32 blocks of a group,
 *        60 u32 streams at most,
 *        64 u64 blocks of a device, 72 u32 blocks of a region, 0: written from front to end
 *
 * root:  0 u64 magic, 8 u32 CRC32C of the rest, 12 u32 epoch, 16 u64 volume, 24 u64 generation, 32 u64 low: older
 *        blocks are in the maps, 40 u64 limit: no position from here on was written, 48 u32 streams; from 64 on the
 *        streams, 128 each: 0 u64 guarantee, 8 u64 oldest block, 16 u64 durable records, 24 u8 length, 25 name,
 *        104 u8 length, 105 kind; for a removed stream the length of the name is 0, and the oldest block is the first
 *        block of the next stream in its place
 * </pre>
 */
public final class VolumeLayout {
    static final int VERSION = 1;
    static final long LABEL_MAGIC = 0x3142414c53464843L; // CHFSLAB1
    static final long ROOT_MAGIC = 0x31544f5253464843L; // CHFSROT1
    public static final long MAP_MAGIC = 0x3150414d53464843L; // CHFSMAP1
    public static final long RUN_MAGIC = 0x314e555253464843L; // CHFSRUN1
    public static final long TRAILER_MAGIC = 0x31444e4553464843L; // CHFSEND1

    public static final int RUN_HEADER_LENGTH = 128;
    public static final int RUN_TRAILER_LENGTH = 32;
    public static final int RECORD_HEADER_LENGTH = 40;
    static final int RECORD_ALIGNMENT = 32;
    public static final int MAP_HEADER_LENGTH = 64;
    public static final int MAP_ENTRY_LENGTH = 64;
    public static final int ROOT_HEADER_LENGTH = 64;
    public static final int ROOT_ENTRY_LENGTH = 128;
    public static final int LABEL_LENGTH = 80;

    /**
     * Minimum offset of the second label of a device; the alignment if larger, so the sector size of the device does
     * not matter.
     */
    public static final int LABEL_STRIDE_MIN = 4096;

    private VolumeLayout() {}

    public static int alignUp(int value, int alignment) {
        return (value + alignment - 1) & -alignment;
    }
}
