/** Child processes of commands: nodes and KairosDB servers. A child process ends together with the parent. */
package io.chimera.node.child;
