/** Child processes of commands: nodes and KairosDB servers. They end together with their parent. */
package io.chimera.apps.node.child;
