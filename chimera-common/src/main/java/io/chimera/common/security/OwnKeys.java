package io.chimera.common.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Key and certificate of this end, current at each handshake; none without a configured certificate. Any thread. */
final class OwnKeys extends X509ExtendedKeyManager {
    private final Supplier<TlsMaterial> material;

    OwnKeys(Supplier<TlsMaterial> material) {
        this.material = material;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.chooseEngineClientAlias(types, issuers, engine);
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.chooseEngineServerAlias(type, issuers, engine);
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.chooseClientAlias(types, issuers, socket);
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.chooseServerAlias(type, issuers, socket);
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.getClientAliases(type, issuers);
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.getServerAliases(type, issuers);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        X509ExtendedKeyManager keys = material.get().keys();
        return keys == null ? null : keys.getPrivateKey(alias);
    }
}
