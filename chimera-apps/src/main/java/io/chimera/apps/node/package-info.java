/** Every main: the command line, and what starts, serves and stops the nodes. */
package io.chimera.apps.node;
