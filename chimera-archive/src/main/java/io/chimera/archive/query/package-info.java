/** Queries about the past: the question, the settings and streams of an archive, and the cost of an answer. */
@NullMarked
package io.chimera.archive.query;

import org.jspecify.annotations.NullMarked;
