/**
 * Formats of answers: lines, connections, explanations, and parts for other archive nodes. Also reads answers of
 * the formats for programs.
 */
@NullMarked
package io.chimera.archive.server.answer;

import org.jspecify.annotations.NullMarked;
