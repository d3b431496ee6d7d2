package io.chimera.dataset.format.parquet;

import java.io.InputStream;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TList;
import shaded.parquet.org.apache.thrift.protocol.TMap;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;
import shaded.parquet.org.apache.thrift.protocol.TSet;
import shaded.parquet.org.apache.thrift.protocol.TStruct;
import shaded.parquet.org.apache.thrift.transport.TIOStreamTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/**
 * Thrift's compact protocol with bounds: no length beyond the bytes that there are, no list of more elements than a
 * footer needs, and no deep nesting, which would overflow the stack.
 */
final class BoundedProtocol extends TCompactProtocol {
    private static final int DEPTH_MAX = 32;
    private static final int ELEMENTS_MAX = 1 << 17;

    private int depth;

    /**
     * Creates a protocol.
     *
     * @param in the bytes
     * @param length number of bytes, at least 1
     */
    BoundedProtocol(InputStream in, int length) throws TTransportException {
        super(new TIOStreamTransport(new TConfiguration(length, length, DEPTH_MAX), in), length, ELEMENTS_MAX);
    }

    @Override
    public TStruct readStructBegin() throws TException {
        enter();
        return super.readStructBegin();
    }

    @Override
    public void readStructEnd() throws TException {
        depth--;
        super.readStructEnd();
    }

    @Override
    public TList readListBegin() throws TException {
        enter();
        return super.readListBegin();
    }

    @Override
    public void readListEnd() throws TException {
        depth--;
        super.readListEnd();
    }

    @Override
    public TSet readSetBegin() throws TException {
        enter();
        return super.readSetBegin();
    }

    @Override
    public void readSetEnd() throws TException {
        depth--;
        super.readSetEnd();
    }

    @Override
    public TMap readMapBegin() throws TException {
        enter();
        return super.readMapBegin();
    }

    @Override
    public void readMapEnd() throws TException {
        depth--;
        super.readMapEnd();
    }

    private void enter() throws TException {
        if (++depth > DEPTH_MAX) {
            throw new TProtocolException(TProtocolException.DEPTH_LIMIT, "more than " + DEPTH_MAX + " levels");
        }
    }
}
