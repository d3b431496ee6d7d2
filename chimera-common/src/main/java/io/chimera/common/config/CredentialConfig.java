package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import java.util.List;

/** Credentials of a data source, which jobs use by name without knowing the values. */
public record CredentialConfig(
        @Doc("User of the HTTP server, or access key of S3.") @Default
        String user,

        @Doc("Password of the HTTP server, or secret key of S3.") @Default
        String password,

        @Doc("Token: a bearer token of HTTP, a session token of S3.") @Default
        String token,

        @Doc("Hosts that may receive these credentials, in the form of datasets.allow. A job with another host in its"
                + " source is refused. At least one.")
        @Default
        List<String> hosts) {
    /** Returns the values without the secrets. */
    @Override
    public String toString() {
        return "CredentialConfig[hosts=" + hosts + "]";
    }
}
