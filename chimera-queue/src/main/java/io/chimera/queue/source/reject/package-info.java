/**
 * Rejected data of the inputs: counts and warnings by input and reason, the dead-letter files, and the rejects listed
 * in the answer to one request.
 */
package io.chimera.queue.source.reject;
