package io.chimera.queue.source;

import io.chimera.queue.source.reject.RejectList;

/** Answers to rejected lines of a TCP connection. */
public enum TelnetAnswers {
    /** Lines are not answered. */
    NONE {
        @Override
        String rejected(String line, String reason) {
            return "";
        }
    },

    /** Wording of KairosDB. */
    KAIROSDB {
        @Override
        String rejected(String line, String reason) {
            return "Failed to execute command: " + line + " Reason: " + reason + "\n";
        }
    },

    /** Wording of OpenTSDB: the command, or a hint to the help. */
    OPENTSDB {
        @Override
        String rejected(String line, String reason) {
            String command = line.strip().split("\\s", 2)[0];
            return command.equals("put") || command.equals("putm")
                    ? command + ": illegal argument: " + reason + "\n"
                    : "unknown command: " + command + ".  Try `help'.\n";
        }
    };

    /**
     * Returns the answer to a rejected line.
     *
     * @param line at most the first {@value RejectList#TEXT_LENGTH_MAX} bytes of the line
     */
    abstract String rejected(String line, String reason);
}
