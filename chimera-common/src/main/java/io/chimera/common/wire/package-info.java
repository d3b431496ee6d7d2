/** Defines every binary layout of the data path once: record, batch and frames, with their encoders and flyweights. */
package io.chimera.common.wire;
