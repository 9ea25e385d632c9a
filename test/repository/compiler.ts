import ts from 'typescript';

const root = new URL('../../', import.meta.url).pathname;

/** A change of one file's text. */
interface Edit {
  readonly file: string;
  readonly change: (text: string) => string;
}

/** Returns the source files of these folders, and what resolves their types. */
export const openProgram = (folders: readonly string[]) => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const source = fileNames.filter((name) => folders.some((folder) => name.startsWith(`${root}${folder}/`)));
  const program = ts.createProgram(source, { ...options, noEmit: true });
  return { checker: program.getTypeChecker(), files: source.flatMap((name) => program.getSourceFile(name) ?? []) };
};

/** Compiles files of the project, unchanged or with one change. Unchanged files are parsed once. */
export const openCompiler = (files: readonly string[]) => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files, include: [] }, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const parse = host.getSourceFile.bind(host);
  const parsed = new Map<string, ts.SourceFile | undefined>();
  let last: ts.Program | undefined;
  return {
    /** Returns those of the files that have an error. */
    faulty(judged: readonly string[], edit?: Edit): string[] {
      host.getSourceFile = (name, ...rest) => {
        if (edit && name === `${root}${edit.file}`)
          return ts.createSourceFile(name, edit.change(ts.sys.readFile(name) ?? ''), ts.ScriptTarget.Latest);
        if (!parsed.has(name)) parsed.set(name, parse(name, ...rest));
        return parsed.get(name);
      };
      last = ts.createProgram(
        files.map((file) => `${root}${file}`),
        { ...options, noEmit: true },
        host,
        last,
      );
      const program = last;
      return judged.filter((file) => program.getSemanticDiagnostics(program.getSourceFile(`${root}${file}`)).length > 0);
    },
  };
};
