/** An image of a feature's own: the folder below dist that it copies, and the bundles in it with the files that they begin in. */
interface FeatureImage {
  image: string;
  programs: Readonly<Record<string, string>>;
}

/** What a feature adds to the images. It is exported as `feature` by the images/feature.ts of its folder. */
export interface ImagesFeature {
  images: readonly FeatureImage[];
}
