/** Client side of the connections between archive nodes: requests over HTTP and the answers of other nodes. */
package io.chimera.archive.server.client;
