/** The archive for its users: volumes, recording, questions over HTTP, answers as files and lines. */
package io.chimera.archive.server;
