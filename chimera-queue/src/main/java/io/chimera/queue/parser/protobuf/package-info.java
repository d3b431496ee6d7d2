/** Reading of messages in the wire format of Protocol Buffers, in place. */
package io.chimera.queue.parser.protobuf;
