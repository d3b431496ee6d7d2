/** Archive as a server: questions over HTTP, the share of the distributed index, and queries of all archive nodes. */
package io.chimera.archive.server;
