/** Entry points: the command line, and the start, HTTP port and stop of the nodes. */
package io.chimera.node;
