// Which modules of the browser's script lie together in one file. Left to itself the bundler makes a file for each set of
// screens that share something: a hundred for the first view, each with its own head and its own wait.

/**
 * Layers, from what nearly every page needs to what few do. A layer is all that its roots import and no earlier layer
 * has, so its file imports earlier ones only. What is loaded later by `import()` stays out.
 */
const LAYERS = [
  // The landing page has no React: what it shares with others must not lead to it.
  // Nor must what Vite adds wherever a part is loaded later: pages for clients load little else.
  { layer: 'page', roots: [/\/components\/landing\/\w+\.astro\?/, /vite\/preload-helper/] },
  { layer: 'react', roots: [/\/@astrojs\/react\/dist\/client\.js$/] },
  { layer: 'form', roots: [/\/islands\/auth\/SignInForm\.tsx$/, /\/components\/Toaster\.tsx$/] },
  {
    layer: 'shell',
    roots: [
      /\/layouts\/App\.astro\?/,
      /\/ClientRouter\.astro\?/,
      /\/islands\/shell\/(?:Host|TopBar|UserMenu)\.tsx$/,
      /\/islands\/uploads\/UploadPanel\.tsx$/,
    ],
  },
  { layer: 'items', roots: [/\/islands\/drive\/Drive\.tsx$/] },
  {
    layer: 'lists',
    roots: [
      /\/islands\/documents\/Files\.tsx$/,
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

/** A page's own script runs where it is loaded: it stays in a file of its own. */
const SCRIPT = /\.astro\?/;

/** Icons are imported by name from one index, which leads to a thousand that nobody asked for. */
const ICON = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/;
const ICON_IMPORTS = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;
const fileOfIcon = (name) => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[a-z])(?=\d)/gi, '-').toLowerCase();
const iconsIn = (code) =>
  Array.from(code.matchAll(ICON_IMPORTS), ([, names]) => names.split(','))
    .flat()
    .map((name) => fileOfIcon(name.trim().split(/\s/)[0]));

/** @returns for each module, and each icon by its file's name, the layer it lies in. */
function layersOf(ids, info) {
  const layers = new Map();
  for (const { layer, roots } of LAYERS) {
    const open = ids.filter((id) => roots.some((root) => root.test(id)));
    const seen = new Set(open);
    for (const root of open) if (!layers.has(root)) layers.set(root, SCRIPT.test(root) ? null : layer);
    while (open.length > 0) {
      const { code, importedIds } = info(open.pop());
      for (const icon of iconsIn(code ?? '')) if (!layers.has(icon)) layers.set(icon, layer);
      for (const id of importedIds) {
        if (seen.has(id) || ICON.test(id)) continue;
        seen.add(id);
        open.push(id);
        if (!layers.has(id)) layers.set(id, layer);
      }
    }
  }
  return layers;
}

/** A Vite plugin, for the browser's build alone. */
export function chunks() {
  let layers = new Map();
  const groups = LAYERS.map(({ layer }, place) => ({
    name: layer,
    test: (id) => layers.get(ICON.exec(id)?.[1] ?? id) === layer,
    // A group takes what its modules import as well: the first layer has to choose first.
    priority: LAYERS.length - place,
  }));
  const build = {
    rolldownOptions: {
      // Or each contract would keep its schemas, and with them the library, where only a type's list is used.
      treeshake: { propertyReadSideEffects: false },
      output: { codeSplitting: { groups } },
    },
  };
  return {
    name: 'chunks-by-layer',
    // After Astro's own, which notes what it links.
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'client',
    configEnvironment: (environment) => (environment === 'client' ? { build } : undefined),
    buildEnd() {
      layers = layersOf([...this.getModuleIds()], (id) => this.getModuleInfo(id));
    },
    // A page links the style sheets of its lazy parts too, under names that come from the server's build: an `import()`
    // must not ask for them under those of this one.
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) part.viteMetadata?.importedCss.clear();
    },
  };
}
