package io.chimera.apps.archive;

import java.net.http.HttpRequest;

/** The token that a command shows to nodes: from the environment or the configuration, never from the command line. */
public final class ClientToken {
    /** Environment variable that holds the token. */
    public static final String VARIABLE = "CHIMERA_TOKEN";

    private ClientToken() {}

    /** The token of the environment; empty where there is none. */
    public static String ofEnvironment() {
        return System.getenv().getOrDefault(VARIABLE, "").strip();
    }

    /** Adds a token to a request; an empty one adds nothing. */
    public static HttpRequest.Builder show(String token, HttpRequest.Builder request) {
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }
}
