/** Every binary layout of the data path, drawn once: record, batch and frames, with their encoders and flyweights. */
package io.chimera.common.wire;
