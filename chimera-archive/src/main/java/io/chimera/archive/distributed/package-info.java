/** The index of all archive nodes of a cluster: who holds what of it, for which span of time, and whom a question has to be put to. */
package io.chimera.archive.distributed;
