/**
 * Text of a question: tokens, keywords, names of protocols and services, addresses, times, and the error for an
 * invalid question.
 */
package io.chimera.archive.query.text;
