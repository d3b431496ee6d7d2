package io.chimera.common.security;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Reads certificates, private keys and revocation lists from PEM files. */
final class PemReader {
    /**
     * Maximum file size. A bundle of all public authorities has about 250 KB, a revocation list of 10,000 certificates
     * about 400 KB.
     */
    private static final int FILE_BYTES_MAX = 4 << 20;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "Ed25519", "Ed448");

    private PemReader() {}

    /** Reads the certificates of a file in order; at least one. */
    static List<X509Certificate> certificates(Path file) {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(blocks(file, "CERTIFICATE")));
            found.forEach(certificate -> certificates.add((X509Certificate) certificate));
        } catch (CertificateException e) {
            throw fail(file, "contains a damaged certificate (" + e.getMessage() + "). Replace it.", e);
        }
        if (certificates.isEmpty()) {
            throw fail(file, "contains no certificate. Set a PEM file with -----BEGIN CERTIFICATE-----.", null);
        }
        return certificates;
    }

    /** Reads the revocation lists of a file; at least one. */
    static List<X509CRL> revocationLists(Path file) {
        List<X509CRL> lists = new ArrayList<>();
        try {
            Collection<? extends CRL> found = CertificateFactory.getInstance("X.509")
                    .generateCRLs(new ByteArrayInputStream(blocks(file, "X509 CRL")));
            found.forEach(list -> lists.add((X509CRL) list));
        } catch (CRLException | CertificateException e) {
            throw fail(file, "contains a damaged revocation list (" + e.getMessage() + "). Replace it.", e);
        }
        if (lists.isEmpty()) {
            throw fail(file, "contains no revocation list. Set a PEM file with -----BEGIN X509 CRL-----.", null);
        }
        return lists;
    }

    /** Extracts the blocks of one kind, so a file may contain both key and certificates. */
    private static byte[] blocks(Path file, String kind) {
        StringBuilder blocks = new StringBuilder();
        Matcher matcher = BLOCK.matcher(text(file));
        while (matcher.find()) {
            if (matcher.group(1).equals(kind)) {
                blocks.append(matcher.group()).append('\n');
            }
        }
        return blocks.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads the first private key of a file. */
    static PrivateKey privateKey(Path file, String password) {
        Matcher matcher = BLOCK.matcher(text(file));
        while (matcher.find()) {
            String kind = matcher.group(1);
            if (kind.equals("PRIVATE KEY")) {
                return decode(file, new PKCS8EncodedKeySpec(bytes(file, matcher.group(2))));
            }
            if (kind.equals("ENCRYPTED PRIVATE KEY")) {
                return decode(file, decrypt(file, bytes(file, matcher.group(2)), password));
            }
            if (kind.endsWith("PRIVATE KEY")) {
                throw fail(
                        file,
                        "contains a key in the old format '" + kind
                                + "'. Convert it: openssl pkcs8 -topk8 -nocrypt -in old.pem" + " -out key.pem",
                        null);
            }
        }
        throw fail(file, "contains no private key. Set a PEM file with -----BEGIN PRIVATE KEY-----.", null);
    }

    private static PrivateKey decode(Path file, PKCS8EncodedKeySpec encoded) {
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // wrong algorithm; the loop tries the next
            } catch (GeneralSecurityException e) {
                throw fail(file, "cannot be read (" + e.getMessage() + ").", e);
            }
        }
        throw fail(file, "contains a key that is neither EC, RSA, Ed25519 nor Ed448. Issue another key.", null);
    }

    private static PKCS8EncodedKeySpec decrypt(Path file, byte[] encoded, String password) {
        if (password.isEmpty()) {
            throw fail(
                    file,
                    "contains an encrypted key. Set key_password, e.g. to ${file:/etc/chimera/key.password}.",
                    null);
        }
        PBEKeySpec secret = new PBEKeySpec(password.toCharArray());
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encoded);
            // the parameters of PBES2 contain the algorithm
            String algorithm =
                    info.getAlgParameters() != null && info.getAlgName().startsWith("PBES2")
                            ? info.getAlgParameters().toString()
                            : info.getAlgName();
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(secret),
                    info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (GeneralSecurityException | IOException e) {
            throw fail(file, "cannot be decrypted with key_password. Correct the password, or issue another key.", e);
        } finally {
            secret.clearPassword();
        }
    }

    private static byte[] bytes(Path file, String base64) {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw fail(file, "contains a damaged PEM block. Replace it.", e);
        }
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw fail(file, "is larger than 4 MiB, the limit for certificate files.", null);
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw fail(
                    file,
                    "cannot be read (" + e.getClass().getSimpleName() + "). Make it readable for the user of the node.",
                    e);
        }
    }

    static ChimeraException fail(Path file, String message, Exception cause) {
        return new ChimeraException(Category.FATAL, "TLS file " + file + " " + message, cause);
    }
}
