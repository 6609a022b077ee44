// The public entry of the package: what an application may import from "genkan".

export {};
