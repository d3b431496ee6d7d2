package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A field that earlier releases did not write: null, or 0, when missing. Any other missing field is an error. */
@JacksonAnnotationsInside
@JsonSetter(nulls = Nulls.SET)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@interface MayBeMissing {}
