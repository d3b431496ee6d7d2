/** The archive as its users meet it: volumes, recording, questions over HTTP, answers as files and lines. */
package io.chimera.apps.archive;
