package io.chimera.processor.store.postgresql;

import io.chimera.common.security.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sockets with the certificates of a store. The driver creates the factory by the name of its class with a text, so the
 * text names the certificates. Follows reloads of the certificates. Any thread.
 */
public final class TlsSockets extends SSLSocketFactory {
    private static final Map<String, Tls> BY_NAME = new ConcurrentHashMap<>();
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Tls tls;
    private final SSLSocketFactory sockets;

    /**
     * Called by the driver.
     *
     * @param name name given by {@link #register}
     */
    public TlsSockets(String name) {
        Tls found = BY_NAME.get(name);
        if (found == null) {
            throw new IllegalArgumentException("Unknown certificates: " + name);
        }
        tls = found;
        sockets = tls.clientContext().getSocketFactory();
    }

    /** Returns the name of certificates for the driver, valid until {@link #remove}. */
    static String register(Tls tls) {
        String name = "store-" + NAMES.incrementAndGet();
        BY_NAME.put(name, tls);
        return name;
    }

    static void remove(String name) {
        BY_NAME.remove(name);
    }

    private Socket limited(Socket socket) {
        ((SSLSocket) socket).setSSLParameters(tls.clientParameters());
        return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return tls.clientParameters().getCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean closes) throws IOException {
        return limited(sockets.createSocket(socket, host, port, closes));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return limited(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return limited(sockets.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return limited(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return limited(sockets.createSocket(host, port, local, localPort));
    }
}
