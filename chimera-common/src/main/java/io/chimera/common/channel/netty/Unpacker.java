package io.chimera.common.channel.netty;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip (RFC 1952, with several members) and deflate (RFC 1950, and raw RFC 1951 as sent by some clients)
 * incrementally into a {@link RequestBody}; the body limits the output. Declared lengths never cause an allocation.
 *
 * <pre>
 *   gzip member:  1f 8b 08 flags mtime(4) xfl os  [extra: u16 length, bytes]  [name 0]  [comment 0]  [crc16]
 *                 deflate blocks  crc32(4)  length(4)
 * </pre>
 */
final class Unpacker implements AutoCloseable {
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int FLAGS_RESERVED = 0xE0;
    private static final int DEFLATED = 8;
    private static final int FIXED_LENGTH = 10;
    private static final int TRAILER_LENGTH = 8;

    private enum State {
        FIXED,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEADER_CRC,
        FIRST_OF_DEFLATE,
        BLOCKS,
        TRAILER,
        END
    }

    private final byte[] scratch = new byte[1];
    /** Checksum over the header of a member, then over the decompressed blocks. */
    private final CRC32 crc = new CRC32();

    private Inflater bare;
    private Inflater zlib;
    private Inflater inflater;
    private boolean gzip;
    private State state;
    private int count;
    private int flags;
    private int extraLength;
    private int headerCrc;
    private long trailer;
    private long memberLength;

    void begin(boolean isGzip) {
        gzip = isGzip;
        enter(gzip ? State.FIXED : State.FIRST_OF_DEFLATE);
    }

    /** Decompresses a piece completely; returns the refusal of the body, or null. */
    RequestRefusal unpack(ByteBuffer in, RequestBody body) {
        RequestRefusal refusal = null;
        while (refusal == null && in.hasRemaining()) {
            refusal = switch (state) {
                case BLOCKS -> inflate(in, body);
                case FIRST_OF_DEFLATE -> chooseDeflate(in);
                case TRAILER -> trailer(in.get());
                case END -> RequestRefusal.corrupt("deflate", "extra bytes after its end");
                default -> header(in.get() & 0xFF);
            };
        }
        return refusal;
    }

    /** Ends the body; returns the refusal of the body, or null. */
    RequestRefusal finish() {
        boolean whole = state == State.END || (gzip && state == State.FIXED && count == 0);
        return whole ? null : RequestRefusal.corrupt(gzip ? "gzip" : "deflate", "unexpected end");
    }

    private RequestRefusal header(int octet) {
        if (state == State.FIXED && count == 0) {
            crc.reset();
        }
        if (state != State.HEADER_CRC) {
            crc.update(octet);
        }
        count++;
        switch (state) {
            case FIXED -> {
                return fixed(octet);
            }
            case EXTRA_LENGTH -> {
                extraLength |= octet << (8 * (count - 1));
                if (count == 2) {
                    enter(extraLength == 0 ? afterExtra() : State.EXTRA);
                }
            }
            case EXTRA -> {
                if (count == extraLength) {
                    enter(afterExtra());
                }
            }
            case NAME -> {
                if (octet == 0) {
                    enter(afterName());
                }
            }
            case COMMENT -> {
                if (octet == 0) {
                    enter(afterComment());
                }
            }
            case HEADER_CRC -> {
                return headerCrc(octet);
            }
            default -> throw new IllegalStateException(state.name());
        }
        return null;
    }

    private RequestRefusal headerCrc(int octet) {
        if (count == 1) {
            headerCrc = octet;
            return null;
        }
        boolean sound = (headerCrc | octet << 8) == (crc.getValue() & 0xFFFF);
        enter(State.BLOCKS);
        return sound ? null : RequestRefusal.corrupt("gzip", "header checksum mismatch");
    }

    private RequestRefusal fixed(int octet) {
        boolean sound =
                switch (count) {
                    case 1 -> octet == 0x1F;
                    case 2 -> octet == 0x8B;
                    case 3 -> octet == DEFLATED;
                    case 4 -> (octet & FLAGS_RESERVED) == 0;
                    default -> true;
                };
        if (!sound) {
            return RequestRefusal.corrupt("gzip", "byte " + count + " of its header is invalid");
        }
        if (count == 4) {
            flags = octet;
        } else if (count == FIXED_LENGTH) {
            enter((flags & FLAG_EXTRA) != 0 ? State.EXTRA_LENGTH : afterExtra());
        }
        return null;
    }

    private State afterExtra() {
        return (flags & FLAG_NAME) != 0 ? State.NAME : afterName();
    }

    private State afterName() {
        return (flags & FLAG_COMMENT) != 0 ? State.COMMENT : afterComment();
    }

    private State afterComment() {
        return (flags & FLAG_HEADER_CRC) != 0 ? State.HEADER_CRC : State.BLOCKS;
    }

    private void enter(State next) {
        state = next;
        count = 0;
        if (next == State.EXTRA_LENGTH) {
            extraLength = 0;
        } else if (next == State.BLOCKS && gzip) {
            useBare();
            crc.reset();
            memberLength = 0;
        } else if (next == State.TRAILER) {
            trailer = 0;
        }
    }

    /**
     * Selects zlib or raw deflate. RFC 1950 begins with the method 8 in the low nibble of the first byte; in RFC 1951
     * this nibble is not a plausible block.
     */
    private RequestRefusal chooseDeflate(ByteBuffer in) {
        if ((in.get(in.position()) & 0x0F) == DEFLATED) {
            zlib = zlib == null ? new Inflater(false) : zlib;
            inflater = zlib;
            inflater.reset();
        } else {
            useBare();
        }
        enter(State.BLOCKS);
        return null;
    }

    private void useBare() {
        bare = bare == null ? new Inflater(true) : bare;
        inflater = bare;
        inflater.reset();
    }

    private RequestRefusal inflate(ByteBuffer in, RequestBody body) {
        inflater.setInput(in);
        try {
            while (true) {
                int room = body.room();
                // Without room, one more byte distinguishes a body of exactly the maximum length from a longer one.
                int written =
                        room == 0 ? inflater.inflate(scratch) : inflater.inflate(body.array(), body.length(), room);
                if (written > 0 && room == 0) {
                    return body.full();
                }
                if (written == 0) {
                    return afterInput();
                }
                crc.update(body.array(), body.length(), written);
                memberLength += written;
                RequestRefusal refusal = body.wrote(written);
                if (refusal != null) {
                    return refusal;
                }
            }
        } catch (DataFormatException e) {
            String detail = e.getMessage() == null ? "its blocks are damaged" : e.getMessage();
            return RequestRefusal.corrupt(gzip ? "gzip" : "deflate", detail);
        }
    }

    private RequestRefusal afterInput() {
        if (inflater.finished()) {
            enter(gzip ? State.TRAILER : State.END);
        } else if (!inflater.needsInput()) {
            return RequestRefusal.corrupt("deflate", "it needs a dictionary");
        }
        return null;
    }

    private RequestRefusal trailer(byte octet) {
        trailer |= (octet & 0xFFL) << (8 * count);
        count++;
        if (count < TRAILER_LENGTH) {
            return null;
        }
        boolean sound = (trailer & 0xFFFF_FFFFL) == crc.getValue() && trailer >>> 32 == (memberLength & 0xFFFF_FFFFL);
        enter(State.FIXED);
        return sound ? null : RequestRefusal.corrupt("gzip", "checksum mismatch");
    }

    @Override
    public void close() {
        if (bare != null) {
            bare.end();
        }
        if (zlib != null) {
            zlib.end();
        }
    }
}
