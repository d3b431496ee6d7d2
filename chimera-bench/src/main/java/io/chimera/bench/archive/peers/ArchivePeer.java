package io.chimera.bench.archive.peers;
public final class ArchivePeer { static final String RECORDING="recording", RECORDED="recorded", ASKED="asked"; public static void main(String[] a) throws Exception { System.err.println("not yet"); } }
