/**
 * Text of a question: tokens, keywords, names of protocols and services, addresses, times, and the error for an
 * invalid question.
 */
@NullMarked
package io.chimera.archive.query.text;

import org.jspecify.annotations.NullMarked;
