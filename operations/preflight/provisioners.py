"""Provisioners whose volumes many nodes can write at once, and those whose volumes one node at a time can.

Source: the access modes that each driver documents. What is in neither list is unknown.
"""

NO_PROVISIONER = "kubernetes.io/no-provisioner"

_SHARED = (
    "azurelustre.csi.azure.com",
    "beegfs.csi.netapp.com",
    "cephfs.csi.ceph.com",
    "csi.juicefs.com",
    "csi.vastdata.com",
    "csi.weka.io",
    "efs.csi.aws.com",
    "exa.csi.ddn.com",
    "file.csi.azure.com",
    "filestore.csi.storage.gke.io",
    "fsx.csi.aws.com",
    "fsx.openzfs.csi.aws.com",
    "fss.csi.oraclecloud.com",
    "lustre.csi.storage.gke.io",
    "nfs.csi.k8s.io",
    "nfs.manila.csi.openstack.org",
    "parallelstore.csi.storage.gke.io",
    "smb.csi.k8s.io",
    "spectrumscale.csi.ibm.com",
)

BLOCK = (
    "blockvolume.csi.oraclecloud.com",
    "cinder.csi.openstack.org",
    "csi.hetzner.cloud",
    "disk.csi.azure.com",
    "dobs.csi.digitalocean.com",
    "ebs.csi.aws.com",
    "ebs.csi.eks.amazonaws.com",
    "kubernetes.io/aws-ebs",
    "kubernetes.io/azure-disk",
    "kubernetes.io/gce-pd",
    "linodebs.csi.linode.com",
    "local.csi.openebs.io",
    "pd.csi.storage.gke.io",
    "rancher.io/local-path",
    "rbd.csi.ceph.com",
    "rook-ceph.rbd.csi.ceph.com",
    "topolvm.io",
)


def is_shared(provisioner: str) -> bool:
    """Operators put their namespace before the driver's name: `rook-ceph.cephfs.csi.ceph.com`."""
    return any(provisioner == known or provisioner.endswith(f".{known}") for known in _SHARED)
