package io.chimera.node.tls;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.NodeIdentity;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Certificate authority in a folder, for the first setup of a cluster: {@code ca.pem}, {@code ca.key} and {@code
 * crl.pem}. Keys are ECDSA on P-256. Keys and the secret are readable by their owner only. Certificates and the
 * revocation list are public, so every user can read them. One process at a time.
 */
@SuppressWarnings("JavaUtilDate") // the library accepts only Date
final class Authority {
    /** Valid roles of a certificate. */
    static final Set<String> ROLES = Set.of(
            NodeIdentity.QUEUE,
            NodeIdentity.PROCESSOR,
            NodeIdentity.COORDINATOR,
            NodeIdentity.ARCHIVE,
            NodeIdentity.OPERATOR);

    private static final String CERT = "ca.pem";
    private static final String KEY = "ca.key";
    private static final String CRL = "crl.pem";
    private static final String SECRET = "cluster.secret";
    private static final String ALGORITHM = "SHA256withECDSA";

    /** Ten years, because a new authority requires new certificates on every node. */
    private static final Duration CA_LIFE = Duration.ofDays(3650);

    private static final Duration CRL_LIFE = Duration.ofDays(3650);

    /** Certificates start in the past, because the clocks of machines differ. */
    private static final Duration EARLIER = Duration.ofMinutes(5);

    /** Permissions of keys and of the cluster's secret. */
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    /** Permissions of certificates and of the revocation list. */
    private static final Set<PosixFilePermission> PUBLIC = PosixFilePermissions.fromString("rw-r--r--");

    private static final int SERIAL_BITS = 127;
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Path folder;
    private final Instant now;

    /** Creates an authority for a folder. */
    Authority(Path folder, Instant now) {
        this.folder = folder;
        this.now = now;
    }

    /**
     * Creates the files of the authority, and a secret for the cluster's znodes.
     *
     * @return the files
     * @throws ChimeraException when the folder already has an authority
     */
    List<Path> init(String cluster) {
        try {
            Files.createDirectories(folder);
            KeyPair keys = keyPair();
            X500Name name = name("Chimera authority of " + cluster);
            JcaX509v3CertificateBuilder builder =
                    new JcaX509v3CertificateBuilder(name, serial(), start(), end(CA_LIFE), name, keys.getPublic());
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            extensions.createSubjectKeyIdentifier(keys.getPublic()));
            X509CertificateHolder certificate = builder.build(signer(keys.getPrivate()));
            byte[] secret = new byte[SECRET_BYTES];
            random.nextBytes(secret);
            write(KEY, pem(keys.getPrivate()), OWNER_ONLY, false);
            write(CERT, pem(certificate), PUBLIC, false);
            write(CRL, pem(crl(certificate, keys.getPrivate(), null, null)), PUBLIC, false);
            write(SECRET, HexFormat.of().formatHex(secret) + "\n", OWNER_ONLY, false);
            return List.of(folder.resolve(CERT), folder.resolve(KEY), folder.resolve(CRL), folder.resolve(SECRET));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw failed(e);
        }
    }

    /**
     * Issues a certificate for a node. Replaces an earlier certificate.
     *
     * @param identities the nodes named in the certificate, at least one
     * @param names host names and addresses of the node for clients
     * @return certificate and key
     */
    List<Path> issue(List<NodeIdentity> identities, List<String> names, Duration life) {
        NodeIdentity first = identities.get(0);
        try {
            X509CertificateHolder ca = ca();
            KeyPair keys = keyPair();
            List<GeneralName> alternatives = new ArrayList<>();
            identities.forEach(identity ->
                    alternatives.add(new GeneralName(GeneralName.uniformResourceIdentifier, identity.toString())));
            names.forEach(host -> alternatives.add(
                    new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host)));
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    ca.getSubject(), serial(), start(), end(life), name(first.id()), keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
                        KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                    }))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(ca))
                    .addExtension(
                            Extension.subjectAlternativeName,
                            false,
                            new GeneralNames(alternatives.toArray(GeneralName[]::new)));
            String file = first.role() + "-" + first.id();
            // the key first: a node that reloads between the two writes sees a mismatch and keeps its current pair
            write(file + ".key", pem(keys.getPrivate()), OWNER_ONLY, true);
            write(file + ".pem", pem(builder.build(signer(caKey()))), PUBLIC, true);
            return List.of(folder.resolve(file + ".pem"), folder.resolve(file + ".key"));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw failed(e);
        }
    }

    /**
     * Adds a certificate to the revocation list.
     *
     * @return the list
     */
    Path revoke(Path certificate) {
        if (!Files.exists(certificate)) {
            throw new ChimeraException(
                    Category.ERROR,
                    "There is no certificate " + certificate
                            + ". Name the file of the certificate to revoke, e.g. ca/queue-q1.pem.");
        }
        try {
            X509CertificateHolder holder = read(certificate, X509CertificateHolder.class);
            X509CertificateHolder ca = ca();
            if (!holder.getIssuer().equals(ca.getSubject())) {
                throw new ChimeraException(
                        Category.ERROR, certificate + " was not issued by the authority in " + folder + ".");
            }
            X509CRLHolder old = read(folder.resolve(CRL), X509CRLHolder.class);
            write(CRL, pem(crl(ca, caKey(), old, holder.getSerialNumber())), PUBLIC, true);
            return folder.resolve(CRL);
        } catch (IOException | OperatorCreationException e) {
            throw failed(e);
        }
    }

    private X509CRLHolder crl(X509CertificateHolder ca, PrivateKey key, X509CRLHolder old, BigInteger revoked)
            throws OperatorCreationException, CertIOException {
        X509v2CRLBuilder builder = new X509v2CRLBuilder(ca.getSubject(), Date.from(now));
        builder.setNextUpdate(end(CRL_LIFE));
        if (old != null) {
            builder.addCRL(old);
        }
        if (revoked != null) {
            builder.addCRLEntry(revoked, Date.from(now), CRLReason.unspecified);
        }
        return builder.build(signer(key));
    }

    private X509CertificateHolder ca() throws IOException {
        return read(folder.resolve(CERT), X509CertificateHolder.class);
    }

    private PrivateKey caKey() throws IOException {
        return new JcaPEMKeyConverter().getPrivateKey(read(folder.resolve(KEY), PrivateKeyInfo.class));
    }

    private static <T> T read(Path file, Class<T> type) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(Files.readString(file, StandardCharsets.US_ASCII)))) {
            Object found = parser.readObject();
            if (!type.isInstance(found)) {
                throw new ChimeraException(Category.ERROR, file + " is not the expected PEM file.");
            }
            return type.cast(found);
        } catch (NoSuchFileException e) {
            throw new ChimeraException(
                    Category.ERROR, "There is no " + file + ". Create an authority first: chimera tls init.", e);
        }
    }

    /** Reads a certificate as a JDK object. */
    static X509Certificate certificate(Path file) {
        try {
            return new JcaX509CertificateConverter().getCertificate(read(file, X509CertificateHolder.class));
        } catch (IOException | GeneralSecurityException e) {
            throw new ChimeraException(Category.ERROR, file + " cannot be read (" + e.getMessage() + ").", e);
        }
    }

    private KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private static X500Name name(String commonName) {
        return new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    }

    private BigInteger serial() {
        return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
    }

    private Date start() {
        return Date.from(now.minus(EARLIER));
    }

    private Date end(Duration life) {
        return Date.from(now.plus(life));
    }

    private static ContentSigner signer(PrivateKey key) throws OperatorCreationException {
        return new JcaContentSignerBuilder(ALGORITHM).build(key);
    }

    private static boolean isAddress(String host) {
        return host.matches("\\d{1,3}(\\.\\d{1,3}){3}") || host.contains(":");
    }

    /** Formats a key as PKCS#8, the most widely supported format. */
    private static String pem(PrivateKey key) {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    private static String pem(Object content) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(content);
        }
        return text.toString();
    }

    /**
     * Writes a file with the given permissions, independent of the umask. A reader never sees a partially replaced
     * file.
     */
    private void write(String name, String text, Set<PosixFilePermission> permissions, boolean isReplaced)
            throws IOException {
        Path file = folder.resolve(name);
        if (!isReplaced && Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path fresh = Files.createTempFile(folder, name, ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.writeString(fresh, text, StandardOpenOption.WRITE);
        Files.setPosixFilePermissions(fresh, permissions);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private ChimeraException failed(Exception e) {
        String words = e instanceof FileAlreadyExistsException
                ? e.getMessage() + " already exists; name another folder, or use the existing authority"
                : e.toString();
        return new ChimeraException(Category.ERROR, "The authority in " + folder + " failed: " + words + ".", e);
    }
}
