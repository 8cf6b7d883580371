import type { ImagesFeature } from '../../../hack/lib/featureImage.ts';

export const feature: ImagesFeature = {
  images: [
    {
      image: 'compilers',
      programs: {
        compilers: 'features/verification/compilers/main.ts',
        // A process for each compilation.
        compileChild: 'features/verification/compilers/compileChild.ts',
      },
    },
  ],
};
