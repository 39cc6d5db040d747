// Decides which modules of the browser's JavaScript share a file. By default the bundler makes a file for each set of
// screens with common modules: a hundred files for the first view, each a request of its own.

/**
 * Chunks, from the modules that nearly every page needs to those that few need. A layer consists of the modules that its
 * roots import statically and that no earlier layer has, so its file imports only earlier files.
 */
const LAYERS = [
  // Modules of pages without React, such as the landing page and the pages of clients. Vite's preload helper is among them,
  // since every dynamic import uses it.
  {
    layer: 'page',
    roots: [/\/components\/landing\/\w+\.astro\?/, /vite\/preload-helper/, /\/site\/lib\/indexedDb\.ts$/],
  },
  { layer: 'react', roots: [/\/@astrojs\/react\/dist\/client\.js$/] },
  { layer: 'form', roots: [/\/islands\/auth\/SignInForm\.tsx$/, /\/components\/Toaster\.tsx$/] },
  {
    layer: 'shell',
    roots: [
      /\/layouts\/App\.astro\?/,
      /\/ClientRouter\.astro\?/,
      /\/islands\/shell\/(?:Host|TopBar|UserMenu)\.tsx$/,
      /\/islands\/uploads\/Uploads\.tsx$/,
    ],
  },
  { layer: 'items', roots: [/\/islands\/drive\/Drive\.tsx$/] },
  // A drive loads it a while after the first view. Otherwise it would be in "lists", of which a deletion needs little.
  { layer: 'removal', roots: [/\/islands\/items\/removeAndReport\.ts$/] },
  {
    layer: 'lists',
    roots: [
      /\/islands\/documents\/Documents\.tsx$/,
      /\/islands\/recent\/Recent\.tsx$/,
      /\/islands\/filing\/Filing\.tsx$/,
      /\/islands\/requests\/Requests\.tsx$/,
      /\/islands\/shared\/Shared\.tsx$/,
      /\/islands\/retention\/Retention\.tsx$/,
      /\/islands\/trash\/Trash\.tsx$/,
      /\/islands\/clients\/Clients\.tsx$/,
      /\/islands\/history\/History\.tsx$/,
    ],
  },
];

/**
 * Chunks that pages load a while after the first view, so that they are there when the server is not. Nothing that loads
 * earlier imports them: what they share with a layer after `base` moves to `base`.
 */
const LATE_LAYERS = [
  { layer: 'toasts', base: 'form', roots: [/\/components\/Toasts\.tsx$/] },
  {
    layer: 'prompts',
    base: 'shell',
    roots: [
      /\/islands\/uploads\/UploadPanel\.tsx$/,
      /\/islands\/uploads\/compare\.ts$/,
      /\/components\/ConfirmHost\.tsx$/,
      /\/islands\/auth\/(?:SignInAgain|Replaced)\.tsx$/,
      /\/islands\/shell\/ConfirmIdentity\.tsx$/,
    ],
  },
];

/** The script of a page or layout runs when its file is loaded, so it stays in a file of its own. */
const SCRIPT = /\.astro\?/;

/** Icons are imported by name from an index of all icons: only those that a module imports by name count. */
const ICON = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/;
const ICON_IMPORTS = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;
const iconFileName = (name) => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[a-z])(?=\d)/gi, '-').toLowerCase();
const iconsIn = (code) =>
  Array.from(code.matchAll(ICON_IMPORTS), ([, names]) => names.split(','))
    .flat()
    .map((name) => iconFileName(name.trim().split(/\s/)[0]));

/**
 * @returns the layer of each module and of each icon, icons by file name; null for a script.
 * @throws {Error} when a root matches no module, e.g. after its file was renamed.
 */
function layersOf(ids, moduleInfo) {
  const layers = new Map();
  /** Visits the roots and what they import statically. */
  function visit({ layer, roots }, assign) {
    const queue = roots.flatMap((root) => {
      const matches = ids.filter((id) => root.test(id));
      if (matches.length === 0) throw new Error(`No module matches ${root}, a root of the layer "${layer}"`);
      return matches;
    });
    const seen = new Set(queue);
    for (const root of queue) assign(root);
    while (queue.length > 0) {
      const { code, importedIds } = moduleInfo(queue.pop());
      for (const icon of iconsIn(code ?? '')) assign(icon);
      for (const id of importedIds) {
        if (seen.has(id) || ICON.test(id)) continue;
        seen.add(id);
        assign(id);
        queue.push(id);
      }
    }
  }
  for (const one of LAYERS) {
    visit(one, (id) => {
      if (!layers.has(id)) layers.set(id, SCRIPT.test(id) ? null : one.layer);
    });
  }
  const order = LAYERS.map(({ layer }) => layer);
  for (const one of LATE_LAYERS) {
    visit(one, (id) => {
      if (!layers.has(id)) layers.set(id, one.layer);
      else if (order.indexOf(layers.get(id)) > order.indexOf(one.base)) layers.set(id, one.base);
    });
  }
  return layers;
}

/** A Vite plugin for the client build. */
export function chunks() {
  let layers = new Map();
  const groups = [...LAYERS, ...LATE_LAYERS].map(({ layer }, index, all) => ({
    name: layer,
    test: (id) => layers.get(ICON.exec(id)?.[1] ?? id) === layer,
    // A group also takes the imports of its modules, so earlier layers need the higher priority.
    priority: all.length - index,
  }));
  const build = {
    rolldownOptions: {
      // Otherwise a module that uses one constant of a contract would keep its schemas, and with them the schema library.
      treeshake: { propertyReadSideEffects: false },
      output: { codeSplitting: { groups } },
    },
  };
  return {
    name: 'chunks-by-layer',
    // After Astro's plugins, which record the style sheets that a page links.
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'client',
    configEnvironment: (environment) => (environment === 'client' ? { build } : undefined),
    buildEnd() {
      layers = layersOf([...this.getModuleIds()], (id) => this.getModuleInfo(id));
    },
    // Pages link the style sheets of their lazy parts under the file names of the server build. Without this, an `import()`
    // would load them again under the names of the client build.
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) part.viteMetadata?.importedCss.clear();
    },
  };
}
