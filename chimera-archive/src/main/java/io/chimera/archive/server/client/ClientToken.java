package io.chimera.archive.server.client;

import java.net.http.HttpRequest;

/**
 * Access token of a command, from the environment or the configuration. Never from the command line, where other users
 * could read the token.
 */
public final class ClientToken {
    /** Name of the environment variable with the token. */
    public static final String VARIABLE = "CHIMERA_TOKEN";

    private ClientToken() {}

    /** Returns the token of the environment; empty if unset. */
    public static String ofEnvironment() {
        return System.getenv().getOrDefault(VARIABLE, "").strip();
    }

    /** Adds a token to a request. An empty token adds nothing. */
    public static HttpRequest.Builder show(String token, HttpRequest.Builder request) {
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }
}
