/** Options and value converters that several commands share. */
package io.chimera.node.option;
