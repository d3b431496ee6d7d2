/**
 * Answers to questions: cursors over found packets and data points of all streams of an archive, and their copies
 * for another node.
 */
@NullMarked
package io.chimera.archive.query.answer;

import org.jspecify.annotations.NullMarked;
