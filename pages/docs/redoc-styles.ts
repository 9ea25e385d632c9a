/** What Redoc's styles are let in by: they are rules added by script to elements whose own text is one of these two. */
export const redocStyles = [
  // Nothing.
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  // The scroll bar's rules.
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
].join(' ');
