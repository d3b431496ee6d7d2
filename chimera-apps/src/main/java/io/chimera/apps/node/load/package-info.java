/** Commands that send data: the generated load, and files. */
package io.chimera.apps.node.load;
